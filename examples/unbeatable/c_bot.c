/* The bot of a C program, asked as npm_bots.js describes. SOURCE names the program, which is
   included whole and unchanged; only its main is left out. It plays O; for X the marks swap. */

#define main program
#include SOURCE
#undef main

#include <string.h>

static char own(char side, char mark) { return mark == '.' ? ' ' : mark == side ? O : X; }

int main(void) {
  char line[32], before[9];
  difficulty = 2; /* God (Impossible to win) */
  while (fgets(line, sizeof line, stdin)) {
    char board[BOARD_SIZE][BOARD_SIZE];
    for (int cell = 0; cell < 9; cell++) before[cell] = own(line[0], line[2 + cell]);
    memcpy(board, before, 9);
    computer_move(board);
    int move = 0;
    while (move < 9 && before[move] == board[move / 3][move % 3]) move++;
    printf("%d\n", move + 1);
    fflush(stdout);
  }
}
