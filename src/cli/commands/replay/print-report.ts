import { omitUndefined } from '../../../omit-undefined.ts'
import { printableJson } from '../../../terminal/printable-json.ts'
import { encodeCost } from '../../../wire/message-json.ts'
import type { RunContext } from '../../run-context.ts'
import type { Driven } from './drive.ts'
import type { ComparedSide, Report } from './replay-report.ts'
import { reportText } from './report-text.ts'

/** Prints a report as text for 80 columns, or as one JSON document. */
export function printReport(
  report: Report,
  driven: Driven,
  { host, flags }: Pick<RunContext, 'host' | 'flags'>,
): void {
  if (flags.format === 'json') host.stdout.write(`${printableJson(encodeReport(report, driven))}\n`)
  else host.stdout.write(reportText(report))
}

function encodeReport(report: Report, { divergence, error }: Driven): object {
  const { source, sessionId, recorded, replayed, calls, first, firstAction, files, notes } = report
  return {
    replay_of: source,
    ...omitUndefined({ session_id: sessionId }),
    turns: replayed.turns.length,
    recorded: encodeSide(recorded),
    replayed: { ...encodeSide(replayed), calls_from_record: calls.recorded, calls_run: calls.live },
    ...omitUndefined({ first_difference: first, first_other_action: firstAction, files, divergence }),
    notes,
    ...(error === undefined ? {} : { error: { code: error.code, message: error.message } }),
  }
}

function encodeSide({ models, rounds, calls, usage, costUsd, durationMs }: ComparedSide): object {
  return {
    models,
    rounds,
    calls,
    input_tokens: usage.inputTokens,
    output_tokens: usage.outputTokens,
    ...encodeCost(costUsd),
    duration_ms: durationMs,
  }
}
