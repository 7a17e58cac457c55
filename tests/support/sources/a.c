#include <stdio.h>
#define LOOP(x) for (;;) { \
  x; {

/* { */
struct point { int x; };
typedef struct { int a; } name_t;
static const struct point origin = { 0 };
int declared(int a);

#ifdef WIN
int open_it(int a) {
#else
int open_it(char *a) {
#endif
  if (a == '}' || puts("{\"")) { return 0; }
  return 1;
}
#if 0
int never(void) {
#endif
static struct point *
find(struct point *all, int (*same)(int, int))
{
  return all;
}
enum color { RED, GREEN };
