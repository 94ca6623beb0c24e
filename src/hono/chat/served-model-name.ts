import { hasCode, isPipeError } from '../../error.ts'
import type { Backend } from '../backend.ts'
import { Refusal } from '../refusal.ts'

/** The model or the agent that a client named. Neither: the usual model. */
export interface NamedModel {
  /** `provider/model[:level]`, a route, or part of an id. */
  readonly model?: string
  readonly agent?: string
  /** The model answers itself, and not the agent with it. */
  readonly isAlone?: true
}

/** The name of the agent with its usual model. */
export const usualName = 'pipe'
/** Precedes the name of an agent. */
export const agentPrefix = 'agent/'
/** Precedes the name of a model that shall answer without the agent. */
const alonePrefix = 'model/'

export function readModelName(name: string | undefined): NamedModel {
  if (name === undefined || name === '' || name === usualName) return {}
  if (name.startsWith(agentPrefix)) return { agent: name.slice(agentPrefix.length) }
  return name.startsWith(alonePrefix)
    ? { model: name.slice(alonePrefix.length), isAlone: true }
    : { model: name }
}

/** Returns the reason why opening failed: that the client's model or agent does not exist, or the error itself. */
export async function explainName(
  error: unknown,
  { model, agent }: NamedModel,
  backend: Pick<Backend, 'models' | 'openModel'>,
  options: { readonly signal: AbortSignal },
): Promise<unknown> {
  if (!isPipeError(error) || !['usage', 'config', 'not_found'].includes(error.code)) return error
  if (agent !== undefined) {
    const known = await backend.models(options)
    const name = `${agentPrefix}${agent}`
    return known.some(({ id }) => id === name) ? error : unknownModel(name, error.message)
  }
  if (model === undefined) return error
  try {
    await backend.openModel(model, options)
    return error
  } catch (reason) {
    return hasCode(reason, 'not_found') ? unknownModel(model, reason.message) : error
  }
}

/** A name that stands for no model. */
export function unknownModel(name: string, reason: string): Refusal {
  return new Refusal({
    status: 404,
    code: 'MODEL_NOT_FOUND',
    message: `there is no model ${JSON.stringify(name)}: ${reason}`,
    details: { field: 'model', reason },
  })
}
