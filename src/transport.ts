/** The network as a port. Given to providers by the composition root. */
export interface Transport {
  /**
   * Resolves when the response's headers are there, whatever the status. Throws `network` (refused, reset, unknown host),
   * `timeout` (nothing came for the idle limit), `protocol` (no HTTP) and `aborted`; so does iterating the body. Throws `config`
   * for an address or a header that cannot be sent. Ending the iteration early, or the signal, closes the socket.
   */
  send(request: HttpRequest, options: { readonly signal: AbortSignal }): Promise<HttpResponse>
  /** Loads what a request to this address will need: some milliseconds of work, best done while something is waited for. */
  prepare?(url: string): void
  /** Closes idle connections. */
  close(): void
}

export interface HttpRequest {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  /**
   * Asked of every address that the host stands for. Where it says no to one, nothing is connected to and the request fails with
   * `permission` (details.address); otherwise a connection of its own goes to one of the addresses it was asked of.
   */
  readonly admit?: (address: string) => boolean
}

export interface HttpResponse {
  readonly status: number
  /** Names in lower case; several values of one name are joined by `, `. */
  readonly headers: Readonly<Record<string, string>>
  /** The proxy that the answer came through, without credentials: `proxy http://host:3128 (HTTPS_PROXY)`. */
  readonly via?: string
  /** Without the compression it came in, if any. */
  readonly body: AsyncIterable<Uint8Array>
}
