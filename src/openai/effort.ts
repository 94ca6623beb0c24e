import type { Quirks } from '../machine/model-server.ts'
import { nearestLevel } from '../model.ts'
import type { Request } from '../provider.ts'

/** Returns the server's word for a thinking level, if any. `off` has one only if the model is known to accept it. */
export function effort({ thinking: level, info }: Request, { reasoningEffort }: Quirks): string | undefined {
  const known = info?.thinking
  if (level === undefined || known?.type === 'none' || known?.type === 'fixed') return undefined
  if (known?.type !== 'effort') return level === 'off' ? undefined : (reasoningEffort?.[level] ?? level)
  const nearest = nearestLevel(level, known.levels)
  if (nearest === undefined) return undefined
  return reasoningEffort?.[nearest] ?? (nearest === 'off' ? 'none' : nearest)
}
