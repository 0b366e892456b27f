// The METIS side of lab/bench/partition.mjs.
//
//   metis-bench kway|recursive GRAPH PARTS OUTPUT
//
// GRAPH: uint32 node count, uint32 length of the neighbour lists, uint32 first[nodes + 1], uint32 neighbour[],
// uint32 nodeWeight[nodes]. OUTPUT: uint32 part[nodes]. Prints the edge cut and the milliseconds.
#include <metis.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static idx_t *readList(FILE *in, size_t count) {
  idx_t *list = malloc((count + 1) * sizeof(idx_t));
  for (size_t i = 0; i < count; i++) {
    uint32_t value;
    if (fread(&value, sizeof value, 1, in) != 1) {
      fprintf(stderr, "the graph is cut off\n");
      exit(1);
    }
    list[i] = (idx_t)value;
  }
  return list;
}

int main(int argc, char **argv) {
  if (argc != 5) {
    fprintf(stderr, "usage: metis-bench kway|recursive GRAPH PARTS OUTPUT\n");
    return 2;
  }
  FILE *in = fopen(argv[2], "rb");
  FILE *out = fopen(argv[4], "wb");
  if (!in || !out) {
    fprintf(stderr, "cannot open the files\n");
    return 1;
  }
  idx_t *counts = readList(in, 2);
  idx_t nodes = counts[0];
  idx_t *first = readList(in, (size_t)nodes + 1);
  idx_t *neighbour = readList(in, (size_t)counts[1]);
  idx_t *weight = readList(in, (size_t)nodes);
  idx_t constraints = 1, parts = atoi(argv[3]), cut = 0;
  idx_t *part = calloc((size_t)nodes, sizeof(idx_t));
  idx_t options[METIS_NOPTIONS];
  METIS_SetDefaultOptions(options);
  options[METIS_OPTION_SEED] = 1;

  struct timespec start, end;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &start);
  int status = strcmp(argv[1], "kway") == 0
                   ? METIS_PartGraphKway(&nodes, &constraints, first, neighbour, weight, NULL, NULL, &parts, NULL, NULL, options, &cut, part)
                   : METIS_PartGraphRecursive(&nodes, &constraints, first, neighbour, weight, NULL, NULL, &parts, NULL, NULL, options, &cut, part);
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
  if (status != METIS_OK) {
    fprintf(stderr, "METIS failed with status %d\n", status);
    return 1;
  }
  for (idx_t n = 0; n < nodes; n++) {
    uint32_t value = (uint32_t)part[n];
    fwrite(&value, sizeof value, 1, out);
  }
  fclose(out);
  printf("%lld %.3f\n", (long long)cut, (end.tv_sec - start.tv_sec) * 1e3 + (end.tv_nsec - start.tv_nsec) / 1e6);
  return 0;
}
