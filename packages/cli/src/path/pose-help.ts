/** What --help says about poses; in a module of its own, so that it loads nothing of the library. */
export const PATH_POSE_HELP = `A pose is "x,y,z" or "x,y,z,qx,qy,qz,qw": where the body's own point is, in metres, and its turn as a
quaternion; or the steps of "impinge collide --pose": "rz=90 t=1,2,3". The own point of a file is the origin of its
coordinates, that of an object of the model the middle of its box; unturned, both are as they were modelled.`;
