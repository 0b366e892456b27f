/** These kernels work in what their callers give, and need nothing besides. */
export function setScratch(_at: usize): void {}
export function scratchBytes(): usize { return 0; }
