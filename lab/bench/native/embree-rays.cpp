// Rays and points by Embree, one call each, on one thread.
//
//   embree-rays A.mesh RAYS POINTS REPETITIONS OUT
//
// RAYS holds float32: origin and direction of each; POINTS float32 places. Writes to OUT, for each ray, its distance
// (float32, infinite: none) and triangle (uint32), then for each point its distance (float32). Prints, tab-separated,
// `rays` and `points` with the microseconds of processor time per question of each repetition.
#include <embree3/rtcore.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

template <class T> static std::vector<T> readAll(const char *path, size_t skip = 0, size_t count = 0) {
  std::ifstream in(path, std::ios::binary | std::ios::ate);
  if (!in) throw std::runtime_error(std::string("cannot read ") + path);
  const size_t bytes = size_t(in.tellg()) - skip;
  std::vector<T> out(count > 0 ? count : bytes / sizeof(T));
  in.seekg(skip);
  in.read(reinterpret_cast<char *>(out.data()), out.size() * sizeof(T));
  if (!in) throw std::runtime_error(std::string("cut off: ") + path);
  return out;
}

static double processorTime() {
  timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return now.tv_sec * 1e6 + now.tv_nsec * 1e-3;
}

struct Vec {
  float x, y, z;
};
static Vec operator-(Vec a, Vec b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
static Vec operator*(float s, Vec a) { return {s * a.x, s * a.y, s * a.z}; }
static float dot(Vec a, Vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

static Vec cross(Vec a, Vec b) { return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }

static float segmentSq(Vec p, Vec a, Vec b) {
  const Vec along = b - a;
  const float share = std::min(1.0f, std::max(0.0f, dot(p - a, along) / dot(along, along)));
  const Vec gap = p - a - share * along;
  return dot(gap, gap);
}

// The squared distance of p from triangle a b c: from its plane where p is above it, else from the nearest edge.
static float triangleSq(Vec p, Vec a, Vec b, Vec c) {
  const Vec normal = cross(b - a, c - a);
  const bool above = dot(cross(b - a, p - a), normal) >= 0 && dot(cross(c - b, p - b), normal) >= 0 && dot(cross(a - c, p - c), normal) >= 0;
  const float height = dot(p - a, normal);
  if (above) return height * height / dot(normal, normal);
  return std::min(segmentSq(p, a, b), std::min(segmentSq(p, b, c), segmentSq(p, c, a)));
}

struct Surface {
  const Vec *positions;
  const uint32_t *indices;
};

static bool lookAt(RTCPointQueryFunctionArguments *args) {
  const Surface &surface = *static_cast<const Surface *>(args->userPtr);
  const uint32_t *corners = surface.indices + 3 * size_t(args->primID);
  const Vec p{args->query->x, args->query->y, args->query->z};
  const Vec *at = surface.positions;
  const float distance = std::sqrt(triangleSq(p, at[corners[0]], at[corners[1]], at[corners[2]]));
  if (distance >= args->query->radius) return false;
  args->query->radius = distance;
  return true;
}

int main(int count, char **given) try {
  if (count != 6) throw std::runtime_error("embree-rays A.mesh RAYS POINTS REPETITIONS OUT");
  const auto counts = readAll<uint32_t>(given[1], 0, 2);
  const auto positions = readAll<float>(given[1], 8, 3 * size_t(counts[0]));
  const auto indices = readAll<uint32_t>(given[1], 8 + 12 * size_t(counts[0]), 3 * size_t(counts[1]));
  const auto rays = readAll<float>(given[2]);
  const auto points = readAll<float>(given[3]);
  const int repetitions = std::atoi(given[4]);

  RTCDevice device = rtcNewDevice("threads=1");
  RTCScene scene = rtcNewScene(device);
  RTCGeometry geometry = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_TRIANGLE);
  float *vertices = static_cast<float *>(
      rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, 12, positions.size() / 3));
  std::copy(positions.begin(), positions.end(), vertices);
  uint32_t *corners = static_cast<uint32_t *>(
      rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, 12, indices.size() / 3));
  std::copy(indices.begin(), indices.end(), corners);
  Surface surface{reinterpret_cast<const Vec *>(positions.data()), indices.data()};
  rtcSetGeometryUserData(geometry, &surface);
  rtcSetGeometryPointQueryFunction(geometry, lookAt);
  rtcCommitGeometry(geometry);
  rtcAttachGeometry(scene, geometry);
  rtcCommitScene(scene);

  struct Hit {
    float distance;
    uint32_t triangle;
  };
  std::vector<Hit> hits(rays.size() / 6);
  std::vector<float> distances(points.size() / 3);
  std::printf("rays");
  for (int run = 0; run <= repetitions; run++) {
    const double begin = processorTime();
    for (size_t i = 0; i < hits.size(); i++) {
      RTCIntersectContext context;
      rtcInitIntersectContext(&context);
      RTCRayHit ray{};
      const float *r = &rays[6 * i];
      ray.ray.org_x = r[0], ray.ray.org_y = r[1], ray.ray.org_z = r[2];
      ray.ray.dir_x = r[3], ray.ray.dir_y = r[4], ray.ray.dir_z = r[5];
      ray.ray.tfar = std::numeric_limits<float>::infinity();
      ray.ray.mask = ~0u;
      ray.hit.geomID = RTC_INVALID_GEOMETRY_ID;
      ray.hit.primID = RTC_INVALID_GEOMETRY_ID;
      rtcIntersect1(scene, &context, &ray);
      hits[i] = {ray.ray.tfar, ray.hit.primID};
    }
    if (run > 0) std::printf("\t%g", (processorTime() - begin) / hits.size());
  }
  std::printf("\npoints");
  for (int run = 0; run <= repetitions; run++) {
    const double begin = processorTime();
    for (size_t i = 0; i < distances.size(); i++) {
      RTCPointQuery query{points[3 * i], points[3 * i + 1], points[3 * i + 2], 0, std::numeric_limits<float>::infinity()};
      RTCPointQueryContext context;
      rtcInitPointQueryContext(&context);
      rtcPointQuery(scene, &query, &context, nullptr, &surface);
      distances[i] = query.radius;
    }
    if (run > 0) std::printf("\t%g", (processorTime() - begin) / distances.size());
  }
  std::printf("\n");
  std::ofstream out(given[5], std::ios::binary);
  out.write(reinterpret_cast<const char *>(hits.data()), hits.size() * sizeof(Hit));
  out.write(reinterpret_cast<const char *>(distances.data()), distances.size() * sizeof(float));
  rtcReleaseGeometry(geometry);
  rtcReleaseScene(scene);
  rtcReleaseDevice(device);
  return out ? 0 : 1;
} catch (const std::exception &error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
