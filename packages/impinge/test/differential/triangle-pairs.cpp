// Whether two closed triangles meet, by CGAL's exact predicates. Reads pairs of nine doubles each from the first file,
// writes one byte per pair to the second: 1 where they meet.
//
// CGAL's test of two triangles wants them to have an area. One without is a segment or a point, as in ours, and is
// asked about as what it is.
#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Segment_3.h>
#include <CGAL/Triangle_3.h>

#include <cstdio>
#include <vector>

using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
using Point = Kernel::Point_3;
using Segment = Kernel::Segment_3;
using Triangle = Kernel::Triangle_3;

// The two ends of three points on a line, in lexicographic order; equal ones for a single point.
static Segment ends_of(const Point* p) {
  const Point* low = p;
  const Point* high = p;
  for (int i = 1; i < 3; i++) {
    if (CGAL::compare_xyz(p[i], *low) == CGAL::SMALLER) low = p + i;
    if (CGAL::compare_xyz(p[i], *high) == CGAL::LARGER) high = p + i;
  }
  return Segment(*low, *high);
}

static bool meets(const Segment& s, const Triangle& t) {
  return s.is_degenerate() ? t.has_on(s.source()) : CGAL::do_intersect(s, t);
}

static bool meets(const Segment& s, const Segment& t) {
  if (s.is_degenerate()) return t.is_degenerate() ? s.source() == t.source() : t.has_on(s.source());
  return t.is_degenerate() ? s.has_on(t.source()) : CGAL::do_intersect(s, t);
}

static bool meets(const double* numbers) {
  Point p[6];
  for (int i = 0; i < 6; i++) p[i] = Point(numbers[3 * i], numbers[3 * i + 1], numbers[3 * i + 2]);
  const bool flat_a = CGAL::collinear(p[0], p[1], p[2]);
  const bool flat_b = CGAL::collinear(p[3], p[4], p[5]);
  const Triangle a(p[0], p[1], p[2]);
  const Triangle b(p[3], p[4], p[5]);
  if (flat_a && flat_b) return meets(ends_of(p), ends_of(p + 3));
  if (flat_a) return meets(ends_of(p), b);
  if (flat_b) return meets(ends_of(p + 3), a);
  return CGAL::do_intersect(a, b);
}

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  std::FILE* in = std::fopen(argv[1], "rb");
  std::FILE* out = std::fopen(argv[2], "wb");
  if (!in || !out) return 3;
  std::vector<double> pair(18);
  while (std::fread(pair.data(), sizeof(double), 18, in) == 18) std::fputc(meets(pair.data()) ? 1 : 0, out);
  std::fclose(in);
  return std::fclose(out) == 0 ? 0 : 4;
}
