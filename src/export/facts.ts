import { formatCount, formatUsd } from '../frontend/words/amount.ts'
import type { Transcript } from './exported-transcript.ts'

/** Lists what the head of a document tells, each a name and a value. Omits what is unknown. */
export function facts(transcript: Transcript): readonly (readonly [name: string, value: string])[] {
  const { started, ended, models, usage, costUsd, folder, id } = transcript
  const isSameDay = started.slice(0, 10) === ended.slice(0, 10)
  const until = started === ended ? '' : ` – ${isSameDay ? ended.slice(11) : ended}`
  const tokens = usage && `${formatCount(usage.inputTokens)} in, ${formatCount(usage.outputTokens)} out`
  const all: readonly (readonly [string, string | undefined])[] = [
    ['Date', `${started}${until} UTC`],
    ['Model', models.length === 0 ? undefined : models.join(', ')],
    ['Tokens', tokens],
    ['Cost', costUsd === undefined ? undefined : formatUsd(costUsd)],
    ['Folder', folder],
    ['Session', id],
  ]
  return all.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]))
}
