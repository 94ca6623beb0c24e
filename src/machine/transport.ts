/** HTTP as a port. The composition root passes it to providers. */
export interface Transport {
  /**
   * Resolves when the headers arrive, whatever the status. Throws `network`, `timeout` (idle), `protocol` (no HTTP) and `aborted`, also
   * in the body, and `config` for an invalid address or header. The signal or leaving the iteration closes the socket.
   */
  send(request: HttpRequest, options: SendOptions): Promise<HttpResponse>
  /** Preloads what a request to this address needs. Takes some milliseconds; best called while waiting. */
  prepare?(url: string): void
  /** Closes idle connections. */
  close(): void
}

export interface SendOptions {
  readonly signal: AbortSignal
  /**
   * Whether the request may be sent again, at once, if a connection that was kept turns out to be closed: then no server has answered it,
   * but one may have read it. Default: false.
   */
  readonly isRepeatable?: boolean
}

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  /**
   * Called with every address of the host. If it rejects one, the request fails with `permission` (details.address) without
   * connecting; otherwise a dedicated connection uses one of these addresses.
   */
  readonly admit?: (address: string) => boolean
}

export interface HttpResponse {
  readonly status: number
  /** Names in lower case. Several values of one name are joined by `, `. */
  readonly headers: Readonly<Record<string, string>>
  /** The proxy used, without credentials: `proxy http://host:3128 (HTTPS_PROXY)`. */
  readonly via?: string
  /** Decompressed. */
  readonly body: AsyncIterable<Uint8Array>
}
