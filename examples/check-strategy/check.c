/* Checks the graph of a strategy file, as docs/reference/strategies.md describes it, without the
 * rules of the game. Written from that page alone; needs nothing but a C99 compiler:
 *
 *     cc -O2 -o check check.c && ./check STRATEGY.txt
 *
 * Prints one line. The exit status is 0 if the graph is right, 1 if it is not, and 2 if the file
 * cannot be read. */
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_BYTES 268435456L
#define MOST_LINE 65536
#define SHA_LINE (7 + 64 + 1)

static const unsigned char *at, *end; /* what is still to be read, and where the nodes end */
static long line_number;

static void wrong(const char *reason, ...)
{
    va_list values;
    va_start(values, reason);
    printf("wrong: line %ld: ", line_number);
    vprintf(reason, values);
    printf("\n");
    va_end(values);
    exit(1);
}

/* SHA-256, FIPS 180-4. */

static uint32_t turned(uint32_t x, int n) { return x >> n | x << (32 - n); }

/* The first 32 bits of the fractional part of the square or cube root of a prime. */
static uint32_t root_bits(unsigned prime, int power)
{
    uint64_t root = 0; /* root * 2^32, found bit by bit: at most 36 bits */
    for (int bit = 36; bit >= 0; bit--) {
        uint64_t guess = root | (uint64_t)1 << bit;
        /* guess^power <= prime * 2^(32 * power), in 128 bits or more by parts of 32 bits */
        uint32_t product[6] = {1, 0, 0, 0, 0, 0};
        for (int i = 0; i < power; i++) {
            uint32_t next[6] = {0};
            uint32_t parts[2] = {(uint32_t)guess, (uint32_t)(guess >> 32)};
            for (int p = 0; p < 2; p++) {
                uint64_t carry = 0;
                for (int k = 0; k + p < 6; k++) {
                    carry += (uint64_t)product[k] * parts[p] + next[k + p];
                    next[k + p] = (uint32_t)carry;
                    carry >>= 32;
                }
            }
            memcpy(product, next, sizeof product);
        }
        int larger = product[5] != 0 || (power == 2 && (product[4] || product[3]));
        if (power == 2) larger = larger || product[2] >= prime;
        else larger = larger || product[4] || product[3] >= prime;
        if (!larger) root = guess;
    }
    return (uint32_t)root;
}

static void sha256(const unsigned char *data, size_t size, char *hex)
{
    uint32_t k[64], h[8], w[64];
    int primes = 0;
    for (unsigned n = 2; primes < 64; n++) {
        int is_prime = 1;
        for (unsigned d = 2; d * d <= n; d++) is_prime = is_prime && n % d;
        if (!is_prime) continue;
        if (primes < 8) h[primes] = root_bits(n, 2);
        k[primes++] = root_bits(n, 3);
    }
    for (size_t done = 0;; done += 64) {
        unsigned char block[64] = {0};
        size_t left = size > done ? size - done : 0;
        memcpy(block, data + (left ? done : 0), left < 64 ? left : 64);
        if (left < 64 && done <= size) block[left] = 0x80; /* the byte after the data */
        int is_last = done + 64 >= size + 9;
        for (int i = 0; is_last && i < 8; i++) block[63 - i] = (uint64_t)size * 8 >> (8 * i) & 255;
        for (int i = 0; i < 16; i++)
            w[i] = (uint32_t)block[4 * i] << 24 | block[4 * i + 1] << 16 | block[4 * i + 2] << 8
                | block[4 * i + 3];
        for (int i = 16; i < 64; i++)
            w[i] = w[i - 16] + w[i - 7]
                + (turned(w[i - 15], 7) ^ turned(w[i - 15], 18) ^ w[i - 15] >> 3)
                + (turned(w[i - 2], 17) ^ turned(w[i - 2], 19) ^ w[i - 2] >> 10);
        uint32_t v[8];
        memcpy(v, h, sizeof v);
        for (int i = 0; i < 64; i++) {
            uint32_t one = v[7] + (turned(v[4], 6) ^ turned(v[4], 11) ^ turned(v[4], 25))
                + ((v[4] & v[5]) ^ (~v[4] & v[6])) + k[i] + w[i];
            uint32_t two = (turned(v[0], 2) ^ turned(v[0], 13) ^ turned(v[0], 22))
                + ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));
            memmove(v + 1, v, 7 * sizeof *v);
            v[4] += one;
            v[0] = one + two;
        }
        for (int i = 0; i < 8; i++) h[i] += v[i];
        if (is_last) break;
    }
    for (int i = 0; i < 8; i++) sprintf(hex + 8 * i, "%08lx", (unsigned long)h[i]);
}

/* The form. */

static void check_utf8(const unsigned char *p, const unsigned char *stop)
{
    for (line_number = 1; p < stop; p++) {
        uint32_t c = *p;
        if (c < 0x80) {
            if (c < 32 && c != '\t' && c != '\n') wrong("a control character");
            line_number += c == '\n';
            continue;
        }
        int more = c >= 0xf0 ? 3 : c >= 0xe0 ? 2 : 1;
        if (c < 0xc2 || c > 0xf4 || stop - p <= more) wrong("not UTF-8");
        c &= 0x3f >> more;
        for (int i = 0; i < more; i++) {
            if ((*++p & 0xc0) != 0x80) wrong("not UTF-8");
            c = c << 6 | (*p & 0x3f);
        }
        if ((more == 2 && c < 0x800) || (more == 3 && c < 0x10000) || c > 0x10ffff
            || (c >= 0xd800 && c < 0xe000))
            wrong("not UTF-8");
    }
}

/* Returns the next line, which ends before *stop, and moves on. */
static const unsigned char *next_line(const unsigned char **stop)
{
    line_number++;
    if (at == end) wrong("the file ends too early");
    const unsigned char *start = at;
    const unsigned char *feed = memchr(at, '\n', (size_t)(end - at));
    if (!feed) wrong("a line without an end");
    if (feed - at >= MOST_LINE) wrong("a line of more than %d bytes", MOST_LINE);
    *stop = feed;
    at = feed + 1;
    return start;
}

/* Returns the number between two places, or 0 if there is none. */
static long number(const unsigned char *p, const unsigned char *stop)
{
    long found = 0;
    if (stop - p < 1 || stop - p > 9 || *p == '0') return 0;
    for (; p < stop; p++) {
        if (*p < '0' || *p > '9') return 0;
        found = found * 10 + (*p - '0');
    }
    return found;
}

static int is_text(const unsigned char *p, const unsigned char *stop, const char *text)
{
    return (size_t)(stop - p) == strlen(text) && !memcmp(p, text, strlen(text));
}

/* Returns what follows `word` in the next line, which ends before *stop. */
static const unsigned char *header(const char *word, const unsigned char **stop)
{
    const unsigned char *p = next_line(stop);
    size_t size = strlen(word);
    if ((size_t)(*stop - p) <= size || memcmp(p, word, size)) wrong("not '%s...'", word);
    if (memchr(p, '\t', (size_t)(*stop - p))) wrong("a TAB in the header");
    return p + size;
}

int main(int count, char **names)
{
    if (count != 2) return fprintf(stderr, "usage: check STRATEGY.txt\n"), 2;
    FILE *file = fopen(names[1], "rb");
    if (!file) return perror(names[1]), 2;
    unsigned char *data = NULL;
    size_t size = 0, room = 0, got;
    do {
        if (size == room && !(data = realloc(data, room = room ? 2 * room : 65536)))
            return fprintf(stderr, "no memory\n"), 2;
        size += got = fread(data + size, 1, room - size, file);
    } while (got && size <= MOST_BYTES);
    if (ferror(file)) return perror(names[1]), 2;
    line_number = 1;
    if (size > MOST_BYTES) wrong("a file of more than %ld bytes", MOST_BYTES);
    check_utf8(data, data + size);

    char hex[65];
    line_number = 1;
    if (size < SHA_LINE) wrong("no strategy file: too short");
    end = data + size - SHA_LINE;
    at = end;
    for (const unsigned char *p = data; p < end; p++) line_number += *p == '\n';
    if (end > data && end[-1] != '\n') wrong("the file does not end in a line 'sha256 ...'");
    sha256(data, size - SHA_LINE, hex);
    if (memcmp(at, "sha256 ", 7) || memcmp(at + 7, hex, 64) || at[71] != '\n')
        wrong("the last line must be 'sha256 %s'", hex);

    const unsigned char *p, *stop;
    at = data;
    line_number = 0;
    p = next_line(&stop);
    if (!is_text(p, stop, "perfectplay strategy 1")) wrong("not 'perfectplay strategy 1'");
    header("game ", &stop);
    p = header("claim ", &stop);
    int is_first = is_text(p, stop, "first wins") || is_text(p, stop, "first holds");
    int wins = is_text(p, stop, "first wins") || is_text(p, stop, "second wins");
    if (!is_first && !wins && !is_text(p, stop, "second holds")) wrong("an unknown claim");
    p = header("symmetry ", &stop);
    if (!is_text(p, stop, "yes") && !is_text(p, stop, "no")) wrong("symmetry must be yes or no");
    p = header("nodes ", &stop);
    long nodes = number(p, stop), lines = 0;
    if (!nodes) wrong("nodes must be a number from 1 to 999999999");
    for (p = at; p < end; p++) lines += *p == '\n';
    if (nodes != lines) wrong("%ld nodes are stated, but there are %ld", nodes, lines);

    /* For each node: who moves, and which side must move because an earlier node says so. */
    char *who = calloc((size_t)nodes + 1, 1), *must = calloc((size_t)nodes + 1, 1);
    if (!who || !must) return fprintf(stderr, "no memory\n"), 2;
    must[1] = is_first ? 'm' : 't';
    for (long node = 1; node <= nodes; node++) {
        const unsigned char *fields[5];
        p = fields[0] = next_line(&stop);
        for (int i = 1; i < 5; i++) {
            const unsigned char *tab = memchr(p, '\t', (size_t)(stop - p));
            if (!tab != (i == 4)) wrong("a node has four fields, with one TAB between them");
            p = fields[i] = (tab ? tab : stop) + 1;
            if (fields[i] - fields[i - 1] < 2) wrong("an empty field");
        }
        int kind = fields[1] - fields[0] == 2 ? *fields[0] : 0;
        if (kind != 'm' && kind != 'f' && kind != 't') wrong("who is to move must be m, f or t");
        int claimants = kind != 't';
        who[node] = claimants ? 'm' : 't';
        if (!must[node]) wrong("no node with a smaller number leads here");
        if (must[node] != who[node]) wrong("it is the other side's turn");
        int no_move = is_text(fields[2], fields[3] - 1, "-");
        if (*fields[1] == '=') {
            if (!is_text(fields[1], fields[2] - 1, "=won")
                && (wins || !is_text(fields[1], fields[2] - 1, "=drawn")))
                wrong("an end that the claim does not allow");
            if (kind == 'f' || !no_move) wrong("a move after the end of the game");
            continue;
        }
        if (!claimants && !no_move) wrong("the move of the other side is -");
        long before = 0;
        for (p = fields[1]; p < fields[2]; ) {
            const unsigned char *last = p;
            while (*last != ' ' && *last != '\t') last++;
            long next = number(p, last);
            if (next <= before) wrong("next must be numbers, each larger than the one before");
            if (next > nodes) wrong("there is no node %ld", next);
            if (claimants && before) wrong("two moves where the claimant chooses one");
            if (wins && next <= node) wrong("node %ld does not come later", next);
            int other = claimants ? 't' : 'm';
            if (next > node ? must[next] && must[next] != other : who[next] != other)
                wrong("node %ld has the wrong side to move", next);
            if (next > node) must[next] = (char)other;
            before = next;
            p = last + 1;
        }
    }
    printf("right: %ld nodes\n", nodes);
    return 0;
}
