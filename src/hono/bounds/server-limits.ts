const seconds = 1_000
const minutes = 60 * seconds
const KiB = 1_024

/** Every bound of the server. Times are in milliseconds, sizes in bytes. */
export const serverLimits = {
  /** A body with a history or a prompt. */
  largeBody: 16 * KiB * KiB,
  /** Any other body. */
  body: 256 * KiB,
  /** Levels of arrays and objects in a body. */
  jsonDepth: 100,
  /** All connections. Beyond them, one that carries no request makes room for a new one. */
  connections: 2_000,
  /** From the first byte of a request, or the connection, to the end of its headers. */
  headers: 10 * seconds,
  /** To the end of its body. */
  request: minutes,
  /** To the end of a body that was refused before it had arrived, and bytes that are read of it. */
  linger: 30 * seconds,
  lingerBytes: 64 * KiB * KiB,
  /** From an answer to the next request. */
  keepAlive: 5 * seconds,
  /** Interval between looks at the three times above. */
  look: 2 * seconds,
  /** A client that takes nothing of its answer for this long is disconnected. */
  stalled: minutes,
  eventStreams: 400,
  /** Interval between comments that keep an idle event stream open. */
  ping: 15 * seconds,
  /** A streamed answer begins after this long without its first part: many proxies give up after 50 or 60 s of silence. */
  firstPart: 10 * seconds,
  /** Requests of one address. */
  requests: { perSecond: 1_000, burst: 5_000 },
  /** Requests of one address with a wrong token. */
  wrongTokens: { perSecond: 0.2, burst: 10 },
  /** Addresses whose requests are counted. Beyond them, the one that was silent for longest is forgotten. */
  addresses: 10_000,
  /** Answers under way may take this long once the server ends. */
  drain: 10 * seconds,
  /** A finding about readiness is good for this long, so that probes cost nothing. */
  ready: seconds,
} as const

/** Returns the bounds that let so many event streams stay open, beside as many other connections as usual. */
export function limitsFor(watchers: number): Pick<ServerLimits, 'eventStreams' | 'connections'> {
  const others = serverLimits.connections - serverLimits.eventStreams
  return { eventStreams: watchers, connections: watchers + others }
}

export interface Rate {
  readonly perSecond: number
  readonly burst: number
}

type Widened<T> = { readonly [K in keyof T]: T[K] extends number ? number : Rate }

/** Bounds that a test sets otherwise. */
export type ServerLimits = Widened<typeof serverLimits>
