// FCL asked for the distance of points from a mesh: a sphere of no size against a tree.
//
//   fcl-points mesh.bin points.bin RUNS out.bin
//
// mesh.bin as ../protocol.mjs writes it; points.bin: float64 x, y, z each. Prints the microseconds of processor time
// per point of every run, tab-separated; out.bin: a float64 distance each. RSS is the tree that FCL measures distances
// with.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <stdexcept>
#include <vector>

#include <fcl/fcl.h>

using Model = fcl::BVHModel<fcl::RSS<double>>;

template <typename T> static std::vector<T> readAll(const char *path) {
  std::ifstream in(path, std::ios::binary | std::ios::ate);
  const std::streamsize bytes = in.tellg();
  std::vector<T> out(size_t(bytes) / sizeof(T));
  in.seekg(0);
  if (!in.read(reinterpret_cast<char *>(out.data()), bytes)) throw std::runtime_error("a file cannot be read");
  return out;
}

static void readMesh(const char *path, Model &model) {
  const auto words = readAll<uint32_t>(path);
  const uint32_t vertexCount = words.at(0), triangleCount = words.at(1);
  if (words.size() < 2 + 3 * (size_t(vertexCount) + triangleCount)) throw std::runtime_error("the mesh is cut off");
  const float *p = reinterpret_cast<const float *>(words.data() + 2);
  const uint32_t *t = words.data() + 2 + 3 * size_t(vertexCount);
  std::vector<fcl::Vector3<double>> vertices;
  std::vector<fcl::Triangle> triangles;
  for (uint32_t i = 0; i < vertexCount; i++) vertices.emplace_back(p[3 * i], p[3 * i + 1], p[3 * i + 2]);
  for (uint32_t i = 0; i < triangleCount; i++) triangles.emplace_back(t[3 * i], t[3 * i + 1], t[3 * i + 2]);
  model.beginModel(int(triangleCount), int(vertexCount));
  model.addSubModel(vertices, triangles);
  model.endModel();
}

int main(int argc, char **argv) try {
  if (argc != 5) {
    std::fprintf(stderr, "usage: fcl-points mesh.bin points.bin RUNS out.bin\n");
    return 2;
  }
  Model model;
  readMesh(argv[1], model);
  const auto points = readAll<double>(argv[2]);
  const size_t count = points.size() / 3;
  std::vector<double> distances(count);
  const fcl::Sphere<double> point(0);
  const fcl::DistanceRequest<double> request(false);
  const fcl::Transform3<double> here = fcl::Transform3<double>::Identity();
  for (int run = 0; run < std::atoi(argv[3]); run++) {
    const std::clock_t start = std::clock();
    for (size_t i = 0; i < count; i++) {
      fcl::Transform3<double> there = here;
      there.translation() = fcl::Vector3<double>(points[3 * i], points[3 * i + 1], points[3 * i + 2]);
      fcl::DistanceResult<double> result;
      distances[i] = fcl::distance(&model, here, &point, there, request, result);
    }
    std::printf("%s%.6f", run ? "\t" : "", 1e6 * double(std::clock() - start) / CLOCKS_PER_SEC / double(count));
  }
  std::printf("\n");
  std::ofstream(argv[4], std::ios::binary).write(reinterpret_cast<const char *>(distances.data()), std::streamsize(8 * count));
  return 0;
} catch (const std::exception &error) {
  std::fprintf(stderr, "fcl-points error: %s\n", error.what());
  return 2;
}
