// The FCL side of the benchmark: the same meshes, poses and questions, timed in one process on one thread.
//
//   fcl-bench pair A.mesh B.mesh poses.txt TAU REPETITIONS QUERIES   B is posed, A rests
//   fcl-bench self A.mesh REPETITIONS
//   fcl-bench build A.mesh REPETITIONS
//
// QUERIES is a list such as `any,all,distance/9`; `/n` asks for every n-th pose only.
// Mesh file: uint32 vertex count, uint32 triangle count, float32 positions, uint32 indices.
// Pose line: class, nine row-major rotation entries, three of translation.
// Output: TSV `query, pose, class, ms, answer`; ms is the median of up to REPETITIONS runs.
//
// Each question gets the volume FCL answers it fastest with: OBB for collision, RSS for distance.
// "Closer than TAU" has no query of its own in FCL. `within` is its public API at its best, a distance
// whose result starts at TAU, so that everything farther is culled; `within-stop` derives a traversal that
// also stops at the first pair below TAU, which a determined user could write.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <fcl/fcl.h>

using Transform = fcl::Transform3<double>;
using Clock = std::chrono::steady_clock;

struct Mesh {
  std::vector<fcl::Vector3<double>> vertices;
  std::vector<fcl::Triangle> triangles;
};

struct Pose {
  std::string kind;
  Transform transform;
};

static Mesh readMesh(const char *path) {
  std::ifstream in(path, std::ios::binary);
  uint32_t counts[2];
  if (!in.read(reinterpret_cast<char *>(counts), sizeof counts)) throw std::runtime_error(std::string("cannot read ") + path);
  std::vector<float> positions(3 * size_t(counts[0]));
  std::vector<uint32_t> indices(3 * size_t(counts[1]));
  in.read(reinterpret_cast<char *>(positions.data()), positions.size() * sizeof(float));
  in.read(reinterpret_cast<char *>(indices.data()), indices.size() * sizeof(uint32_t));
  if (!in) throw std::runtime_error(std::string("cut off: ") + path);
  Mesh mesh;
  mesh.vertices.reserve(counts[0]);
  for (size_t v = 0; v < counts[0]; v++) {
    mesh.vertices.emplace_back(positions[3 * v], positions[3 * v + 1], positions[3 * v + 2]);
  }
  mesh.triangles.reserve(counts[1]);
  for (size_t t = 0; t < counts[1]; t++) {
    mesh.triangles.emplace_back(indices[3 * t], indices[3 * t + 1], indices[3 * t + 2]);
  }
  return mesh;
}

static std::vector<Pose> readPoses(const char *path) {
  std::ifstream in(path);
  std::vector<Pose> poses;
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream words(line);
    Pose pose;
    pose.transform.setIdentity();
    words >> pose.kind;
    for (int i = 0; i < 9; i++) words >> pose.transform.linear()(i / 3, i % 3);
    for (int i = 0; i < 3; i++) words >> pose.transform.translation()(i);
    if (!words) throw std::runtime_error("bad pose line: " + line);
    poses.push_back(pose);
  }
  return poses;
}

template <typename BV> static std::unique_ptr<fcl::BVHModel<BV>> build(const Mesh &mesh) {
  std::unique_ptr<fcl::BVHModel<BV>> model(new fcl::BVHModel<BV>());
  model->beginModel(int(mesh.triangles.size()), int(mesh.vertices.size()));
  model->addSubModel(mesh.vertices, mesh.triangles);
  model->endModel();
  return model;
}

// Runs once unmeasured when a run is short, then up to `repetitions` times within two seconds.
template <typename Question> static double medianMs(int repetitions, Question question) {
  std::vector<double> times;
  double spent = 0;
  for (int i = 0; i <= repetitions; i++) {
    const auto start = Clock::now();
    question();
    const double ms = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
    if (i == 0 && ms < 100) continue;
    times.push_back(ms);
    spent += ms;
    if (spent > 2000 || int(times.size()) == repetitions) break;
  }
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

static void report(const char *query, size_t pose, const std::string &kind, double ms, double answer) {
  std::printf("%s\t%zu\t%s\t%.6f\t%.17g\n", query, pose, kind.c_str(), ms, answer);
}

class StopBelow : public fcl::detail::MeshDistanceTraversalNodeRSS<double> {
public:
  double tau = 0;
  bool canStop(double bound) const override { return this->result->min_distance <= tau || bound > tau; }
};

static void benchPair(const Mesh &a, const Mesh &b, const std::vector<Pose> &poses, double tau, int repetitions,
                      const std::map<std::string, size_t> &queries) {
  const Transform rest = Transform::Identity();
  const bool collides = queries.count("any") || queries.count("all");
  std::unique_ptr<fcl::BVHModel<fcl::OBB<double>>> obbA, obbB;
  if (collides) obbA = build<fcl::OBB<double>>(a), obbB = build<fcl::OBB<double>>(b);
  std::unique_ptr<fcl::BVHModel<fcl::RSS<double>>> rssA, rssB;
  if (queries.count("distance") || queries.count("within")) {
    rssA = build<fcl::RSS<double>>(a), rssB = build<fcl::RSS<double>>(b);
  }
  for (const char *query : {"any", "all"}) {
    if (!queries.count(query)) continue;
    const fcl::CollisionRequest<double> request(std::string(query) == "any" ? 1 : 1u << 30, false);
    for (size_t i = 0; i < poses.size(); i += queries.at(query)) {
      size_t pairs = 0;
      const double ms = medianMs(repetitions, [&] {
        fcl::CollisionResult<double> result;
        pairs = fcl::collide(obbA.get(), rest, obbB.get(), poses[i].transform, request, result);
      });
      report(query, i, poses[i].kind, ms, double(pairs));
    }
  }
  if (queries.count("distance")) {
    const fcl::DistanceRequest<double> request(true);
    for (size_t i = 0; i < poses.size(); i += queries.at("distance")) {
      double distance = 0;
      const double ms = medianMs(repetitions, [&] {
        fcl::DistanceResult<double> result;
        distance = fcl::distance(rssA.get(), rest, rssB.get(), poses[i].transform, request, result);
      });
      report("distance", i, poses[i].kind, ms, distance);
    }
  }
  if (!queries.count("within")) return;
  const fcl::DistanceRequest<double> request(false);
  for (size_t i = 0; i < poses.size(); i += queries.at("within")) {
    bool within = false;
    double ms = medianMs(repetitions, [&] {
      fcl::DistanceResult<double> result(tau);
      within = fcl::distance(rssA.get(), rest, rssB.get(), poses[i].transform, request, result) < tau;
    });
    report("within", i, poses[i].kind, ms, within);
    ms = medianMs(repetitions, [&] {
      fcl::DistanceResult<double> result;
      StopBelow node;
      node.tau = tau;
      fcl::detail::initialize(node, *rssA, rest, *rssB, poses[i].transform, request, result);
      fcl::detail::distance(&node);
      within = result.min_distance <= tau;
    });
    report("within-stop", i, poses[i].kind, ms, within);
  }
}

// FCL knows no self-query: the model against itself, then each pair once and without those that share a vertex.
static void benchSelf(const Mesh &mesh, int repetitions) {
  const auto model = build<fcl::OBB<double>>(mesh);
  const fcl::CollisionRequest<double> request(1u << 30, false);
  size_t pairs = 0;
  const double ms = medianMs(repetitions, [&] {
    fcl::CollisionResult<double> result;
    fcl::collide(model.get(), Transform::Identity(), model.get(), Transform::Identity(), request, result);
    pairs = 0;
    for (size_t k = 0; k < result.numContacts(); k++) {
      const auto &contact = result.getContact(k);
      if (contact.b1 >= contact.b2) continue;
      const fcl::Triangle &s = mesh.triangles[contact.b1], &t = mesh.triangles[contact.b2];
      bool shared = false;
      for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) shared |= s[i] == t[j];
      }
      pairs += !shared;
    }
  });
  report("self", 0, "self", ms, double(pairs));
}

template <typename BV> static void benchBuild(const char *name, const Mesh &mesh, int repetitions) {
  double bytesPerTriangle = 0;
  const double ms = medianMs(repetitions, [&] {
    const auto model = build<BV>(mesh);
    const double bytes = double(sizeof(fcl::BVNode<BV>)) * model->getNumBVs() +
                         double(sizeof(fcl::Triangle)) * mesh.triangles.size() +
                         double(sizeof(fcl::Vector3<double>)) * mesh.vertices.size();
    bytesPerTriangle = bytes / double(mesh.triangles.size());
  });
  report(name, 0, "build", ms, bytesPerTriangle);
}

int main(int argc, char **argv) try {
  const std::string mode = argc > 1 ? argv[1] : "";
  if (mode == "pair" && argc == 8) {
    std::map<std::string, size_t> queries;
    std::istringstream list(argv[7]);
    for (std::string item; std::getline(list, item, ',');) {
      const size_t slash = item.find('/');
      queries[item.substr(0, slash)] = slash == std::string::npos ? 1 : std::stoul(item.substr(slash + 1));
    }
    benchPair(readMesh(argv[2]), readMesh(argv[3]), readPoses(argv[4]), std::atof(argv[5]), std::atoi(argv[6]), queries);
  } else if (mode == "self" && argc == 4) {
    benchSelf(readMesh(argv[2]), std::atoi(argv[3]));
  } else if (mode == "build" && argc == 4) {
    const Mesh mesh = readMesh(argv[2]);
    benchBuild<fcl::AABB<double>>("build-AABB", mesh, std::atoi(argv[3]));
    benchBuild<fcl::OBB<double>>("build-OBB", mesh, std::atoi(argv[3]));
    benchBuild<fcl::RSS<double>>("build-RSS", mesh, std::atoi(argv[3]));
    benchBuild<fcl::OBBRSS<double>>("build-OBBRSS", mesh, std::atoi(argv[3]));
  } else {
    std::fprintf(stderr, "usage: fcl-bench pair|self|build …; see the head of fcl-bench.cpp\n");
    return 2;
  }
  return 0;
} catch (const std::exception &error) {
  std::fprintf(stderr, "fcl-bench: %s\n", error.what());
  return 1;
}
