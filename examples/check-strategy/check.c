/*
 * Checks the graph of a strategy file, which needs no rules of the game: the sections "The file" and "The
 * graph" of docs/reference/strategies.md, from which alone it was written.
 *
 *     cc -O2 -std=c99 -o check check.c
 *     ./check FILE        or, from standard input: ./check < FILE
 *
 * It prints one line. The exit status is 0 if the graph is right, 1 if it is wrong, and 2 if the file cannot
 * be read. The file is read into memory and checked in one pass, line by line, the hash with the last line; so
 * a message names the first line at which something is seen to be wrong.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_FILE ((size_t)268435456)  /* bytes */
#define MAX_LINE ((size_t)65536)      /* bytes, with the line feed */
#define MIN_NODE ((size_t)8)          /* bytes: four fields of one, three TABs, a line feed */

typedef unsigned char byte;

static const byte *at;                /* the next byte to check; up to the end of a line it is in that line */
static const byte *line_end;          /* one past the line feed of the line */
static const byte *file_end;          /* one past the last byte */
static unsigned long line;            /* the number of the line, from 1 */
static unsigned long nodes;           /* their number, as the header states it */
static int wins;                      /* the claim is "wins" */
static char *mover;                   /* by node, who moves: 'm' the claimant, 't' the other, 0 not yet known */

/* Ends the program if the condition is false: the file is wrong. */
static void need(int condition, const char *otherwise)
{
    if (condition)
        return;
    printf("wrong: line %lu: %s\n", line, otherwise);
    exit(1);
}

static void cannot_read(const char *name, const char *reason)
{
    fprintf(stderr, "check: %s: %s\n", name, reason);
    exit(2);
}

/* Reads a file to its end, but at most one byte more than a right one can have. */
static byte *read_file(FILE *file, const char *name, size_t *size)
{
    byte *data = NULL;
    size_t room;
    *size = 0;
    for (room = MAX_LINE; ; room = room < MAX_FILE ? 2 * room : MAX_FILE + 1) {
        data = realloc(data, room);
        if (!data)
            cannot_read(name, "not enough memory");
        *size += fread(data + *size, 1, room - *size, file);
        if (ferror(file))
            cannot_read(name, "cannot be read");
        if (*size < room || room > MAX_FILE)
            return data;
    }
}

/* SHA-256, as in FIPS 180-4: takes one block of 64 bytes more into h. */
static void hash_block(uint32_t h[8], const byte *p)
{
    static const uint32_t k[64] = {
        0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
        0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
        0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
        0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
        0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
        0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
        0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
        0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2 };
    uint32_t w[64], s[8], t;
    int i;
#define ROTATE(x, n) ((x) >> (n) | (x) << (32 - (n)))
#define MIX(x, a, b, c) (ROTATE(x, a) ^ ROTATE(x, b) ^ (c))
    for (i = 0; i < 16; i++, p += 4)
        w[i] = (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
    for (; i < 64; i++)
        w[i] = w[i - 16] + MIX(w[i - 15], 7, 18, w[i - 15] >> 3)
             + w[i - 7] + MIX(w[i - 2], 17, 19, w[i - 2] >> 10);
    memcpy(s, h, sizeof s);
    for (i = 0; i < 64; i++) {
        t = s[7] + MIX(s[4], 6, 11, ROTATE(s[4], 25)) + ((s[4] & s[5]) ^ (~s[4] & s[6])) + k[i] + w[i];
        memmove(s + 1, s, 7 * sizeof s[0]);
        s[0] = t + MIX(s[1], 2, 13, ROTATE(s[1], 22)) + ((s[1] & s[2]) ^ (s[1] & s[3]) ^ (s[2] & s[3]));
        s[4] += t;
    }
    for (i = 0; i < 8; i++)
        h[i] += s[i];
}

/* The SHA-256 of size bytes, as 64 hexadecimal digits. */
static void hash(const byte *data, size_t size, char digits[65])
{
    uint32_t h[8] = { 0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19 };
    byte last[128] = { 0 };           /* the last bytes, then 0x80, zeros and the number of bits */
    size_t left = size % 64, padded = left < 56 ? 64 : 128, i;
    for (i = 0; i < size - left; i += 64)
        hash_block(h, data + i);
    memcpy(last, data + i, left);
    last[left] = 0x80;
    for (i = 0; i < 8; i++)
        last[padded - 1 - i] = (byte)((uint64_t)size * 8 >> 8 * i);
    for (i = 0; i < padded; i += 64)
        hash_block(h, last + i);
    for (i = 0; i < 8; i++)
        snprintf(digits + 8 * i, 9, "%08lx", (unsigned long)h[i]);
}

/* The length of the UTF-8 character at p, 0 if there is none. It does not look past a line feed. */
static int character(const byte *p)
{
    int length = p[0] < 0x80 ? 1 : p[0] < 0xe0 ? 2 : p[0] < 0xf0 ? 3 : 4, i;
    byte least = p[0] == 0xe0 ? 0xa0 : p[0] == 0xf0 ? 0x90 : 0x80;    /* of the second byte: else overlong */
    byte most = p[0] == 0xed ? 0x9f : p[0] == 0xf4 ? 0x8f : 0xbf;     /* else a surrogate or above U+10FFFF */
    if (length > 1 && (p[0] < 0xc2 || p[0] > 0xf4 || p[1] < least || p[1] > most))
        return 0;
    for (i = 2; i < length; i++)
        if ((p[i] & 0xc0) != 0x80)
            return 0;
    return length;
}

/* Begins the next line, and checks what holds for every line. */
static void begin_line(void)
{
    size_t left = (size_t)(file_end - at);
    const byte *feed = memchr(at, '\n', left < MAX_LINE ? left : MAX_LINE), *p;
    line++;
    need(left > 0, "the file ends too early");
    need(feed || left < MAX_LINE, "more than 65536 bytes");
    need(feed != NULL, "no line feed at its end");
    for (p = at; p < feed; p += character(p)) {
        need(character(p) > 0, "not UTF-8");
        need(*p >= 0x20 || *p == '\t', "a control character");
    }
    line_end = feed + 1;
}

/* Takes the expected bytes, if the rest of the line begins with them. */
static int word(const char *expected)
{
    size_t size = strlen(expected);
    if ((size_t)(line_end - at) < size || memcmp(at, expected, size) != 0)
        return 0;
    at += size;
    return 1;
}

/* Takes one character or more up to the next TAB or line feed, and that, if it is the given one. */
static int text(char end)
{
    const byte *start = at;
    while (*at >= 0x20)
        at++;
    return at > start && *at++ == end;
}

/* Takes a number, at most nine digits; 0 if there is none. */
static unsigned long number(void)
{
    unsigned long value = 0;
    const byte *start = at;
    while (at - start < 9 && *at >= (value ? '0' : '1') && *at <= '9')
        value = 10 * value + (*at++ - '0');
    return value;
}

static void check_header(void)
{
    int first;
    begin_line();
    need(word("perfectplay strategy 1\n"), "not \"perfectplay strategy 1\"");
    begin_line();
    need(word("game ") && text('\n'), "not \"game\" and a name");
    begin_line();
    first = word("claim first ");
    need(first || word("claim second "), "not \"claim\", then \"first\" or \"second\"");
    wins = word("wins\n");
    need(wins || word("holds\n"), "neither \"wins\" nor \"holds\"");
    begin_line();
    need(word("symmetry yes\n") || word("symmetry no\n"), "not \"symmetry\", then \"yes\" or \"no\"");
    begin_line();
    need(word("nodes ") && (nodes = number()) > 0 && word("\n"), "not \"nodes\" and a number");
    need(nodes <= (size_t)(file_end - at) / MIN_NODE, "more nodes than the rest of the file can hold");
    mover = calloc(nodes + 1, 1);
    if (!mover)
        cannot_read("nodes", "not enough memory");
    mover[1] = first ? 'm' : 't';
}

/* Takes the second field of a node that is no end, and notes who moves after it. */
static void check_next(unsigned long node)
{
    char after = mover[node] == 't' ? 'm' : 't';
    unsigned long next, last = 0;
    do {
        next = number();
        need(next > 0, "a next node that is not a number from 1 to 999999999");
        need(next > last, "next nodes that do not ascend");
        need(last == 0 || after == 'm', "more than one next node, where the claimant moves");
        need(next <= nodes, "a next node that does not exist");
        need(!wins || next > node, "a next node that is not larger than the node, in a claim to win");
        need(!mover[next] || mover[next] == after, "a next node with the wrong side to move");
        mover[next] = after;
        last = next;
    } while (word(" "));
    need(word("\t"), "next nodes that are not numbers with one space between two, then a TAB");
}

static void check_node(unsigned long node)
{
    int forced, claimant, end;
    begin_line();
    need(!word("sha256 "), "the hash, before as many nodes as the header states");
    forced = word("f\t");
    claimant = forced || word("m\t");
    need(claimant || word("t\t"), "a node that does not begin with m, f or t, and a TAB");
    need(mover[node] != 0, "a node that is no next node of one with a smaller number");
    need(mover[node] == (claimant ? 'm' : 't'), "a node with the wrong side to move");
    end = word("=won\t") || (!wins && word("=drawn\t"));
    need(end || *at != '=', "an end that is not =won, nor =drawn in a claim to hold");
    if (!end)
        check_next(node);
    need(!end || !forced, "an end with a forced move");
    need(claimant && !end ? text('\t') : word("-\t"), "not a move and a TAB, or not - where there is none");
    need(text('\n'), "not a position as the last of four fields");
}

/* Checks the last line. The hash is that of the bytes from start up to it. */
static void check_hash(const byte *start)
{
    char digits[65];
    const byte *p;
    hash(start, (size_t)(at - start), digits);
    begin_line();
    need(word("sha256 "), "not the hash, which follows as many nodes as the header states");
    for (p = at; (*p >= '0' && *p <= '9') || (*p >= 'a' && *p <= 'f'); )
        p++;
    need(p - at == 64 && *p == '\n', "not 64 lower-case hexadecimal digits");
    need(word(digits), "a hash that is not that of the lines before");
    line++;
    need(line_end == file_end, "something after the hash");
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "standard input";
    FILE *file = argc == 2 ? fopen(name, "rb") : stdin;
    unsigned long node;
    size_t size;
    byte *data;
    if (argc > 2)
        cannot_read("usage", "check [FILE]");
    if (!file)
        cannot_read(name, "cannot be opened");
    data = read_file(file, name, &size);
    fclose(file);
    at = data;
    file_end = data + size;
    if (size > MAX_FILE) {
        puts("wrong: more than 268435456 bytes");
        return 1;
    }
    check_header();
    for (node = 1; node <= nodes; node++)
        check_node(node);
    check_hash(data);
    printf("right: %s %s, %lu nodes\n", mover[1] == 'm' ? "first" : "second", wins ? "wins" : "holds", nodes);
    free(mover);
    free(data);
    return 0;
}
