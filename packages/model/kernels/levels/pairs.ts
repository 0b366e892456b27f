/** Two float64 in one register. */
// @ts-ignore: decorator
@inline export function pair(x: f64, y: f64): v128 { return f64x2.replace_lane(f64x2.splat(x), 1, y); }
// @ts-ignore: decorator
@inline export function first(p: v128): f64 { return f64x2.extract_lane(p, 0); }
// @ts-ignore: decorator
@inline export function second(p: v128): f64 { return f64x2.extract_lane(p, 1); }
