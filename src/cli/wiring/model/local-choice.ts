import { withinLimit } from '../../../clock.ts'
import { isPipeError } from '../../../error.ts'
import type { LocalModel } from '../../../frontend/start.ts'
import { formatBytes } from '../../../frontend/words/amount.ts'
import type { Ask } from '../../../http/dialect/served-window.ts'
import { readBodyText } from '../../../http/request-body.ts'
import { isJsonObject, parseJson } from '../../../json-value.ts'
import type { Server } from '../../../machine/model-server.ts'
import { findOpenServers } from './guessed-model.ts'
import { describers, type LocalModels, type LocalSearch, type StoredModel } from './local-servers.ts'

/** Time in ms for what servers say about their models. */
const timeoutMs = 1_500
/** A model needs this much more memory than its file. */
const overhead = 1.2
/** Most models that are offered. */
const mostOffered = 4

/**
 * Finds the models of local servers that may be used, the best one first, each with the reason: one that calls tools and fits the memory,
 * and of these the largest. Contacts no server that certainly belongs to another user. Throws `config`.
 */
export async function localChoices(search: LocalSearch): Promise<readonly LocalModel[]> {
  if (search.settings.local === false) return []
  const found = await findOpenServers(search)
  const all = await Promise.all(
    found.map(async ({ doubt, ...one }) =>
      (await describe(one, search)).map((model) => ({
        ...model,
        server: one.server,
        doubt,
      })),
    ),
  )
  return rankModels(all.flat(), search.machine.memory).slice(0, mostOffered)
}

interface ServedModel extends StoredModel {
  readonly server: Pick<Server, 'name'>
  /** The reason to doubt that the server is the user's. */
  readonly doubt?: string | undefined
}

/** Sorts models by their use to an agent on a machine with this much memory in bytes, and says why. */
export function rankModels(
  models: readonly ServedModel[],
  memory: number | undefined,
): readonly LocalModel[] {
  const rated = models
    .filter(({ id }) => !/embed/i.test(id))
    .map((model) => {
      const fits =
        model.bytes === undefined || memory === undefined ? undefined : model.bytes * overhead <= memory
      const merit =
        (model.tools === true ? 4 : model.tools === false ? 0 : 2) +
        (fits === false ? -1 : 1) -
        (model.doubt === undefined ? 0 : 8)
      return { model, fits, merit }
    })
    .sort((a, b) => b.merit - a.merit || (b.model.bytes ?? 0) - (a.model.bytes ?? 0))
  return rated.map(({ model, fits }) => ({
    name: `${model.server.name}/${model.id}`,
    why: [reasonOf(model, fits, memory), model.doubt].filter(Boolean).join('; '),
    ...(model.doubt === undefined ? {} : { isDoubtful: true }),
  }))
}

function reasonOf(
  { bytes, tools }: StoredModel,
  fits: boolean | undefined,
  memory: number | undefined,
): string {
  const able =
    tools === undefined
      ? 'the server does not say whether it calls tools'
      : tools
        ? 'it calls tools'
        : 'it calls no tools, so it can only talk'
  if (bytes === undefined) return able
  const size = formatBytes(bytes)
  if (fits === undefined || memory === undefined) return `${able}, and takes ${size}`
  return fits
    ? `${able}, and its ${size} fit into the ${formatBytes(memory)} of memory here`
    : `${able}, but its ${size} may not fit into the ${formatBytes(memory)} of memory here`
}

/** Asks a server about its models, where its dialect has more to say than their names. */
async function describe(
  { server, models }: LocalModels,
  search: LocalSearch,
): Promise<readonly StoredModel[]> {
  const plain = models.map((id) => ({ id }))
  const describer = describers[server.dialect]
  if (describer === undefined) return plain
  const { signal, machine } = search
  try {
    const read = await describer()
    const described = await withinLimit({ clock: machine.clock, ms: timeoutMs, signal }, (until) =>
      read(server.baseUrl, asker(server, search, until)),
    )
    return described.length === 0 ? plain : described
  } catch (error) {
    if (!isPipeError(error)) throw error
    return plain
  }
}

function asker({ headers = {} }: Server, { transport }: LocalSearch, signal: AbortSignal): Ask {
  return async (url, body) => {
    const json = { 'content-type': 'application/json' }
    const response = await transport.send(
      body === undefined
        ? { method: 'GET', url, headers }
        : { method: 'POST', url, headers: { ...json, ...headers }, body: JSON.stringify(body) },
      { signal },
    )
    const answer = parseJson(await readBodyText(response.body, 4_000_000))
    return isJsonObject(answer) ? answer : undefined
  }
}
