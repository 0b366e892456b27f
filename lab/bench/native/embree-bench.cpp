// The Embree side of the benchmark: candidates from `rtcCollide`, decided by a plain float64 triangle test.
//
//   embree-bench self A.mesh REPETITIONS
//   embree-bench build A.mesh REPETITIONS
//
// Files and output as in fcl-bench.cpp. One thread.
#include <embree3/rtcore.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

using Clock = std::chrono::steady_clock;

struct Vec {
  double x, y, z;
};
static Vec operator-(Vec a, Vec b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
static Vec cross(Vec a, Vec b) { return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }
static double dot(Vec a, Vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

struct Mesh {
  std::vector<float> positions;
  std::vector<uint32_t> indices;
  size_t pairs = 0;
  size_t triangleCount() const { return indices.size() / 3; }
  Vec corner(unsigned triangle, int k) const {
    const float *p = &positions[3 * size_t(indices[3 * size_t(triangle) + k])];
    return {p[0], p[1], p[2]};
  }
};

static Mesh readMesh(const char *path) {
  std::ifstream in(path, std::ios::binary);
  uint32_t counts[2];
  if (!in.read(reinterpret_cast<char *>(counts), sizeof counts)) throw std::runtime_error(std::string("cannot read ") + path);
  Mesh mesh;
  mesh.positions.resize(3 * size_t(counts[0]));
  mesh.indices.resize(3 * size_t(counts[1]));
  in.read(reinterpret_cast<char *>(mesh.positions.data()), mesh.positions.size() * sizeof(float));
  in.read(reinterpret_cast<char *>(mesh.indices.data()), mesh.indices.size() * sizeof(uint32_t));
  if (!in) throw std::runtime_error(std::string("cut off: ") + path);
  return mesh;
}

static bool sameSide(const double d[3]) { return (d[0] > 0 && d[1] > 0 && d[2] > 0) || (d[0] < 0 && d[1] < 0 && d[2] < 0); }

// Does an edge of t that reaches both sides of the plane of s pass inside s?
static bool edgePierces(const Vec s[3], const Vec t[3], const double side[3]) {
  for (int i = 0; i < 3; i++) {
    const int j = (i + 1) % 3;
    if ((side[i] > 0 && side[j] > 0) || (side[i] < 0 && side[j] < 0)) continue;
    const Vec along = t[j] - t[i];
    double turn[3];
    for (int k = 0; k < 3; k++) turn[k] = dot(cross(s[k] - t[i], s[(k + 1) % 3] - t[i]), along);
    if ((turn[0] >= 0 && turn[1] >= 0 && turn[2] >= 0) || (turn[0] <= 0 && turn[1] <= 0 && turn[2] <= 0)) return true;
  }
  return false;
}

static bool intersects(const Mesh &mesh, unsigned a, unsigned b) {
  const Vec s[3] = {mesh.corner(a, 0), mesh.corner(a, 1), mesh.corner(a, 2)};
  const Vec t[3] = {mesh.corner(b, 0), mesh.corner(b, 1), mesh.corner(b, 2)};
  const Vec normalS = cross(s[1] - s[0], s[2] - s[0]);
  const double sideT[3] = {dot(normalS, t[0] - s[0]), dot(normalS, t[1] - s[0]), dot(normalS, t[2] - s[0])};
  if (sameSide(sideT)) return false;
  const Vec normalT = cross(t[1] - t[0], t[2] - t[0]);
  const double sideS[3] = {dot(normalT, s[0] - t[0]), dot(normalT, s[1] - t[0]), dot(normalT, s[2] - t[0])};
  if (sameSide(sideS)) return false;
  return edgePierces(s, t, sideT) || edgePierces(t, s, sideS);
}

static bool shareVertex(const Mesh &mesh, unsigned a, unsigned b) {
  const uint32_t *s = &mesh.indices[3 * size_t(a)], *t = &mesh.indices[3 * size_t(b)];
  for (int i = 0; i < 3; i++) {
    if (s[i] == t[0] || s[i] == t[1] || s[i] == t[2]) return true;
  }
  return false;
}

static void decide(void *user, RTCCollision *candidates, unsigned count) {
  Mesh &mesh = *static_cast<Mesh *>(user);
  for (unsigned i = 0; i < count; i++) {
    const unsigned a = candidates[i].primID0, b = candidates[i].primID1;
    if (a < b && !shareVertex(mesh, a, b) && intersects(mesh, a, b)) mesh.pairs++;
  }
}

static void boundsOf(const RTCBoundsFunctionArguments *args) {
  const Mesh &mesh = *static_cast<const Mesh *>(args->geometryUserPtr);
  float low[3], high[3];
  for (int axis = 0; axis < 3; axis++) {
    float c[3];
    for (int k = 0; k < 3; k++) c[k] = mesh.positions[3 * size_t(mesh.indices[3 * size_t(args->primID) + k]) + axis];
    low[axis] = std::min({c[0], c[1], c[2]});
    high[axis] = std::max({c[0], c[1], c[2]});
  }
  RTCBounds &out = *args->bounds_o;
  out.lower_x = low[0], out.lower_y = low[1], out.lower_z = low[2];
  out.upper_x = high[0], out.upper_y = high[1], out.upper_z = high[2];
}

static RTCScene buildScene(RTCDevice device, Mesh &mesh) {
  const RTCScene scene = rtcNewScene(device);
  const RTCGeometry geometry = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_USER);
  rtcSetGeometryUserPrimitiveCount(geometry, unsigned(mesh.triangleCount()));
  rtcSetGeometryUserData(geometry, &mesh);
  rtcSetGeometryBoundsFunction(geometry, boundsOf, nullptr);
  rtcCommitGeometry(geometry);
  rtcAttachGeometry(scene, geometry);
  rtcReleaseGeometry(geometry);
  rtcCommitScene(scene);
  return scene;
}

template <typename Question> static double medianMs(int repetitions, Question question) {
  std::vector<double> times;
  for (int i = 0; i <= repetitions; i++) {
    const auto start = Clock::now();
    question();
    if (i > 0) times.push_back(std::chrono::duration<double, std::milli>(Clock::now() - start).count());
  }
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

static std::atomic<long long> bytesHeld{0};
static bool countBytes(void *, ssize_t bytes, bool) {
  bytesHeld += bytes;
  return true;
}

int main(int argc, char **argv) try {
  const std::string mode = argc == 4 ? argv[1] : "";
  if (mode != "self" && mode != "build") {
    std::fprintf(stderr, "usage: embree-bench self|build A.mesh REPETITIONS\n");
    return 2;
  }
  Mesh mesh = readMesh(argv[2]);
  const int repetitions = std::atoi(argv[3]);
  const RTCDevice device = rtcNewDevice("threads=1");
  rtcSetDeviceMemoryMonitorFunction(device, countBytes, nullptr);
  if (mode == "self") {
    const RTCScene scene = buildScene(device, mesh);
    const double ms = medianMs(repetitions, [&] {
      mesh.pairs = 0;
      rtcCollide(scene, scene, decide, &mesh);
    });
    std::printf("self\t0\tself\t%.6f\t%zu\n", ms, mesh.pairs);
    rtcReleaseScene(scene);
  } else {
    double bytes = 0;
    const double ms = medianMs(repetitions, [&] {
      const long long before = bytesHeld;
      const RTCScene scene = buildScene(device, mesh);
      bytes = double(bytesHeld - before + (long long)(4 * (mesh.positions.size() + mesh.indices.size())));
      rtcReleaseScene(scene);
    });
    std::printf("build-sah\t0\tbuild\t%.6f\t%.17g\n", ms, bytes / double(mesh.triangleCount()));
  }
  rtcReleaseDevice(device);
  return 0;
} catch (const std::exception &error) {
  std::fprintf(stderr, "embree-bench: %s\n", error.what());
  return 1;
}
