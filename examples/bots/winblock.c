/* Tic-tac-toe in C: wins if it can, else blocks, else takes the first of its favourite cells.

   cc -o winblock winblock.c && perfectplay grade command:./winblock --deterministic */
#include <stdio.h>
#include <string.h>

static const int lines[8][3] = {{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6},
                                {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}};
static const int favourites[9] = {4, 0, 2, 6, 8, 1, 3, 5, 7};

/* Return the cell that completes a line of `side`, or -1. */
static int completes(const char *board, char side)
{
    for (int i = 0; i < 8; i++) {
        int marks = 0, empty = -1;
        for (int j = 0; j < 3; j++) {
            int cell = lines[i][j];
            marks += board[cell] == side;
            if (board[cell] == '.')
                empty = cell;
        }
        if (marks == 2 && empty >= 0)
            return empty;
    }
    return -1;
}

int main(void)
{
    char question[256];
    while (fgets(question, sizeof question, stdin)) {
        char turn = question[0], *board = strchr(question, '\t') + 1;
        int cell = completes(board, turn);
        if (cell < 0)
            cell = completes(board, turn == 'X' ? 'O' : 'X');
        for (int i = 0; cell < 0; i++)
            if (board[favourites[i]] == '.')
                cell = favourites[i];
        printf("%d\n", cell + 1);
        fflush(stdout);
    }
    return 0;
}
