/** The Draco decoder; the package has no types of its own. */
declare module 'draco3d/draco_decoder_nodejs.js' {
  type DracoDecoderModule = import('impinge/internal/formats/draco.js').DracoDecoderModule;
  const createDecoderModule: (options: {
    readonly printErr: (line: string) => void;
    readonly instantiateWasm: (
      imports: WebAssembly.Imports,
      done: (instance: WebAssembly.Instance) => void,
    ) => void;
  }) => Promise<DracoDecoderModule>;
  export default createDecoderModule;
}
