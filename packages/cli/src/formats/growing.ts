/** Growing arrays as the library's readers have them. */
export * from 'impinge/internal/formats/growing.js';
