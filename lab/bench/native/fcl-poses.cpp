// FCL as a planner calls it: which of many placings of some bodies are free, each up to the first hit.
//
//   fcl-poses world.bin bodies.bin pairs.bin placings.bin OBB|OBBRSS TIMES
//
// world.bin, bodies.bin: meshes with poses, pairs.bin: of bodies that are compared with each other, all as in
// lab/bench/check/random-plant.mjs; placings.bin: uint32 number, uint32 0, then 12 float64 of every body of each.
// Output, tab-separated: `seconds` (processor time for all placings, once for each time), then `free 0110…`.
// Objects of the world are in a tree that is made before, and so is each model; of one object no tree is made.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <fcl/fcl.h>

using Pose = fcl::Transform3<double>;
using Object = fcl::CollisionObject<double>;

template <typename T> static std::vector<T> readArray(std::ifstream &in, size_t count) {
  std::vector<T> out(count);
  if (!in.read(reinterpret_cast<char *>(out.data()), std::streamsize(count * sizeof(T)))) throw std::runtime_error("a file is cut off");
  return out;
}

static Pose poseOf(const double *numbers) {
  Pose pose = Pose::Identity();
  for (int k = 0; k < 9; k++) pose.linear()(k / 3, k % 3) = numbers[k];
  for (int k = 0; k < 3; k++) pose.translation()(k) = numbers[9 + k];
  return pose;
}

template <typename Volume> static std::vector<std::unique_ptr<Object>> readObjects(const char *path) {
  std::ifstream in(path, std::ios::binary);
  const uint32_t count = readArray<uint32_t>(in, 2)[0];
  const auto counts = readArray<uint32_t>(in, 2 * size_t(count));
  const auto poses = readArray<double>(in, 12 * size_t(count));
  std::vector<std::vector<fcl::Vector3<double>>> vertices(count);
  for (size_t i = 0; i < count; i++) {
    const auto p = readArray<float>(in, 3 * size_t(counts[2 * i]));
    for (size_t v = 0; v < p.size(); v += 3) vertices[i].emplace_back(p[v], p[v + 1], p[v + 2]);
  }
  std::vector<std::unique_ptr<Object>> objects;
  for (size_t i = 0; i < count; i++) {
    const auto t = readArray<uint32_t>(in, 3 * size_t(counts[2 * i + 1]));
    std::vector<fcl::Triangle> triangles;
    for (size_t h = 0; h < t.size(); h += 3) triangles.emplace_back(t[h], t[h + 1], t[h + 2]);
    auto model = std::make_shared<fcl::BVHModel<Volume>>();
    model->beginModel(int(triangles.size()), int(vertices[i].size()));
    model->addSubModel(vertices[i], triangles);
    model->endModel();
    objects.emplace_back(new Object(model, poseOf(&poses[12 * i])));
    objects.back()->computeAABB();
  }
  return objects;
}

static bool meet(const Object *a, const Object *b) {
  static const fcl::CollisionRequest<double> request(1, false);
  fcl::CollisionResult<double> result;
  return fcl::collide(a, b, request, result) > 0;
}

static bool stopAtHit(Object *a, Object *b, void *found) {
  if (!meet(a, b)) return false;
  *static_cast<bool *>(found) = true;
  return true;
}

template <typename Volume> static void run(char **argv) {
  auto world = readObjects<Volume>(argv[1]);
  auto bodies = readObjects<Volume>(argv[2]);
  std::ifstream pairsIn(argv[3], std::ios::binary);
  const auto pairs = readArray<uint32_t>(pairsIn, 2 * size_t(readArray<uint32_t>(pairsIn, 1)[0]));
  std::ifstream in(argv[4], std::ios::binary);
  const size_t count = readArray<uint32_t>(in, 2)[0];
  const auto placings = readArray<double>(in, 12 * count * bodies.size());
  fcl::DynamicAABBTreeCollisionManager<double> tree;
  if (world.size() > 1) {
    for (auto &object : world) tree.registerObject(object.get());
    tree.setup();
  }
  std::string free(count, '0');
  for (int time = std::atoi(argv[6]); time > 0; time--) {
    const std::clock_t start = std::clock();
    for (size_t i = 0; i < count; i++) {
      bool found = false;
      for (size_t k = 0; k < bodies.size(); k++) {
        bodies[k]->setTransform(poseOf(&placings[12 * (i * bodies.size() + k)]));
        bodies[k]->computeAABB();
      }
      for (size_t p = 0; p < pairs.size() && !found; p += 2) {
        const Object *a = bodies[pairs[p]].get(), *b = bodies[pairs[p + 1]].get();
        found = a->getAABB().overlap(b->getAABB()) && meet(a, b);
      }
      for (size_t k = bodies.size(); k-- > 0 && !found;) {
        if (world.size() > 1) tree.collide(bodies[k].get(), &found, stopAtHit);
        else found = bodies[k]->getAABB().overlap(world[0]->getAABB()) && meet(bodies[k].get(), world[0].get());
      }
      free[i] = found ? '0' : '1';
    }
    std::printf("seconds\t%.9f\n", double(std::clock() - start) / CLOCKS_PER_SEC);
  }
  std::printf("free\t%s\n", free.c_str());
}

int main(int argc, char **argv) try {
  const std::string volume = argc == 7 ? argv[5] : "";
  if (volume == "OBB") run<fcl::OBB<double>>(argv);
  else if (volume == "OBBRSS") run<fcl::OBBRSS<double>>(argv);
  else {
    std::fprintf(stderr, "usage: fcl-poses world.bin bodies.bin pairs.bin placings.bin OBB|OBBRSS TIMES\n");
    return 2;
  }
  return 0;
} catch (const std::exception &error) {
  std::fprintf(stderr, "fcl-poses error: %s\n", error.what());
  return 2;
}
