/** Something is wrong with a request, or with what it asks for: the status says whose fault it is, the message what. */
export class RequestError extends Error {
  override readonly name = 'RequestError';
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.status = status;
    this.headers = headers;
  }
}
