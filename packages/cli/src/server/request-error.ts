/** An error in a request or in the data it asks for: the status says whose fault it is, the message what is wrong. */
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
