import { isLoopback } from '../../../machine/loopback.ts'
import type { Server } from '../../../machine/model-server.ts'
import { findListener } from '../listener.ts'
import { askServers, keylessServers, type LocalModels, type LocalSearch } from './local-servers.ts'

/** A model chosen by default, on a server that answered. */
export interface GuessedModel {
  /** `provider/model`. */
  readonly name: string
  readonly server: Server
}

export interface Guess {
  readonly found?: GuessedModel
  /** Servers that were found and rejected, one line each. */
  readonly rejected: readonly string[]
}

/**
 * Picks the first text model of the first local server that has one. Skips loopback servers that may belong to another user, who would
 * get the prompt and files. Never contacts a server that does. Throws `config`.
 */
export async function guessModel(search: LocalSearch): Promise<Guess> {
  const { machine, settings } = search
  if (settings.local === false)
    return { rejected: ['local servers are off: "local" is false in the settings'] }
  const seen = keylessServers(search).map((server) => ({ server, doubt: doubtOf(server, machine) }))
  const foreign = seen.filter(({ doubt }) => doubt?.isCertain === true)
  const asked = seen.filter(({ doubt }) => doubt?.isCertain !== true)
  const rejected = foreign.map(({ server, doubt }) => describe(server, doubt))
  for (const { server, models } of await askServers(
    asked.map((one) => one.server),
    search,
  )) {
    const model = models.find((id) => !/embed/i.test(id))
    if (model === undefined) continue
    const doubt = asked.find((one) => one.server === server)?.doubt
    if (doubt === undefined) return { found: { name: `${server.name}/${model}`, server }, rejected }
    rejected.push(describe(server, doubt))
  }
  return { rejected }
}

/** A server that answered, with the reason to doubt whose it is, if there is one. */
export interface OpenServer extends LocalModels {
  readonly doubt?: string | undefined
}

/** Lists the models of the servers that answer, except those that certainly belong to another user. Throws `config`. */
export async function findOpenServers(search: LocalSearch): Promise<readonly OpenServer[]> {
  const doubts = new Map(keylessServers(search).map((server) => [server, doubtOf(server, search.machine)]))
  const asked = [...doubts].filter(([, doubt]) => doubt?.isCertain !== true).map(([server]) => server)
  const answers = await askServers(asked, search)
  return answers.map((one) => ({ ...one, doubt: doubts.get(one.server)?.reason }))
}

/** Formats the notice about a guessed model, shown before it gets the prompt. */
export function describeGuess({ name, server }: GuessedModel): string {
  return (
    `no model is set, so pipe uses ${name} at ${server.baseUrl}, the first local server that answered ` +
    '(set one with -m or "model" in config.json; "local": false turns this off)'
  )
}

/** The reason not to use a server by default. */
interface Doubt {
  readonly reason: string
  /** The server certainly belongs to another user. */
  readonly isCertain: boolean
}

function doubtOf({ baseUrl }: Server, machine: LocalSearch['machine']): Doubt | undefined {
  if (!isLoopback(baseUrl) || machine.platform !== 'linux') return undefined
  const listener = findListener(baseUrl, machine)
  switch (listener.owner) {
    case 'own':
      return undefined
    case 'other':
      return { reason: `another user (uid ${listener.uid}) is listening there`, isCertain: true }
    case 'unknown':
      return { reason: 'its owner is unknown', isCertain: false }
  }
}

function describe({ name, baseUrl }: Server, doubt: Doubt | undefined): string {
  return `${name} at ${baseUrl}: ${doubt?.reason}; to use it, name it: pipe -m ${name}/MODEL "…"`
}
