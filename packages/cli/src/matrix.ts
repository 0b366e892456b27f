/** Matrices as the library's readers have them. */
export * from 'impinge/internal/formats/matrix.js';
