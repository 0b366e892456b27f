// FCL in the in-memory check: a model per object, then every pair of boxes that is near.
//
//   fcl-check plant.bin near.bin near-clearance.bin CLEARANCE [TIMES]
//
// Asks `hard` and `clearance` TIMES times (default once), with one line for each.
// plant.bin: uint32 object count, uint32 0, per object uint32 vertex count and triangle count, per object 12 float64 of
// pose (rotation row by row, translation), float32 positions, uint32 indices. near*.bin: uint32 pair count, pairs.
// Output, tab-separated: `build ms`, `QUESTION ms`, `rss bytes`, `triangle pairs`, `hit QUESTION a b`; see
// lab/bench/check/memory-contender.mjs.
// OBBRSS serves both questions with one tree. The clearance is a distance whose result starts at it, so that everything
// farther is culled.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <fcl/fcl.h>
#include <sys/resource.h>

using Model = fcl::BVHModel<fcl::OBBRSS<double>>;

struct Object {
  std::vector<fcl::Vector3<double>> vertices;
  std::vector<fcl::Triangle> triangles;
  fcl::Transform3<double> pose = fcl::Transform3<double>::Identity();
  std::unique_ptr<Model> model;
};

template <typename T> static std::vector<T> readArray(std::ifstream &in, size_t count) {
  std::vector<T> out(count);
  if (!in.read(reinterpret_cast<char *>(out.data()), std::streamsize(count * sizeof(T)))) throw std::runtime_error("a file is cut off");
  return out;
}

static std::vector<Object> readPlant(const char *path) {
  std::ifstream in(path, std::ios::binary);
  const uint32_t count = readArray<uint32_t>(in, 2)[0];
  const auto counts = readArray<uint32_t>(in, 2 * size_t(count));
  const auto poses = readArray<double>(in, 12 * size_t(count));
  std::vector<Object> objects(count);
  for (size_t i = 0; i < count; i++) {
    for (int k = 0; k < 9; k++) objects[i].pose.linear()(k / 3, k % 3) = poses[12 * i + k];
    for (int k = 0; k < 3; k++) objects[i].pose.translation()(k) = poses[12 * i + 9 + k];
    const auto p = readArray<float>(in, 3 * size_t(counts[2 * i]));
    for (size_t v = 0; v < p.size(); v += 3) objects[i].vertices.emplace_back(p[v], p[v + 1], p[v + 2]);
  }
  for (size_t i = 0; i < count; i++) {
    const auto t = readArray<uint32_t>(in, 3 * size_t(counts[2 * i + 1]));
    for (size_t h = 0; h < t.size(); h += 3) objects[i].triangles.emplace_back(t[h], t[h + 1], t[h + 2]);
  }
  return objects;
}

static std::vector<uint32_t> readPairs(const char *path) {
  std::ifstream in(path, std::ios::binary);
  const uint32_t count = readArray<uint32_t>(in, 1)[0];
  return readArray<uint32_t>(in, 2 * size_t(count));
}

template <typename Work> static double millisecondsOf(Work work) {
  const std::clock_t start = std::clock();
  work();
  return 1000.0 * double(std::clock() - start) / CLOCKS_PER_SEC;
}

template <typename Question> static void ask(const char *name, const std::vector<uint32_t> &near, int times, Question question) {
  std::vector<std::pair<uint32_t, uint32_t>> hits;
  for (int time = 0; time < times; time++) {
    hits.clear();
    const double ms = millisecondsOf([&] {
      for (size_t i = 0; i < near.size(); i += 2) {
        if (question(near[i], near[i + 1])) hits.emplace_back(near[i], near[i + 1]);
      }
    });
    std::printf("%s\t%.6f\n", name, ms);
  }
  for (const auto &hit : hits) std::printf("hit\t%s\t%u\t%u\n", name, hit.first, hit.second);
}

int main(int argc, char **argv) try {
  if (argc != 5 && argc != 6) {
    std::fprintf(stderr, "usage: fcl-check plant.bin near.bin near-clearance.bin CLEARANCE [TIMES]\n");
    return 2;
  }
  std::vector<Object> objects = readPlant(argv[1]);
  const auto near = readPairs(argv[2]);
  const auto nearClearance = readPairs(argv[3]);
  const double clearance = std::atof(argv[4]);
  const int times = argc == 6 ? std::atoi(argv[5]) : 1;
  std::printf("build\t%.6f\n", millisecondsOf([&] {
    for (Object &object : objects) {
      object.model.reset(new Model());
      object.model->beginModel(int(object.triangles.size()), int(object.vertices.size()));
      object.model->addSubModel(object.vertices, object.triangles);
      object.model->endModel();
    }
  }));
  const fcl::CollisionRequest<double> collision(1, false);
  ask("hard", near, times, [&](uint32_t a, uint32_t b) {
    fcl::CollisionResult<double> result;
    return fcl::collide(objects[a].model.get(), objects[a].pose, objects[b].model.get(), objects[b].pose, collision, result) > 0;
  });
  const fcl::CollisionRequest<double> everything(1u << 30, false);
  size_t trianglePairs = 0;
  ask("all", near, 1, [&](uint32_t a, uint32_t b) {
    fcl::CollisionResult<double> result;
    trianglePairs += fcl::collide(objects[a].model.get(), objects[a].pose, objects[b].model.get(), objects[b].pose, everything, result);
    return false;
  });
  std::printf("triangle pairs\t%zu\n", trianglePairs);
  const fcl::DistanceRequest<double> distance(false);
  ask("clearance", nearClearance, times, [&](uint32_t a, uint32_t b) {
    fcl::DistanceResult<double> result(clearance);
    return fcl::distance(objects[a].model.get(), objects[a].pose, objects[b].model.get(), objects[b].pose, distance, result) < clearance;
  });
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  std::printf("rss\t%.0f\n", 1024.0 * double(usage.ru_maxrss));
  return 0;
} catch (const std::exception &error) {
  std::fprintf(stderr, "fcl-check error: %s\n", error.what());
  return 2;
}
