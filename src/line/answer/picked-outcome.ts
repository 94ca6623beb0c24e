import { exitCodes, PipeError } from '../../error.ts'
import type { Outcome } from '../outcome.ts'
import type { RunResult } from '../run-result.ts'
import type { AnswerForm } from './answer-form.ts'

/** The exit code of a verdict that is a no. */
const noExitCode = 1

/** Keeps of a good answer what the run prints. An answer without such a part is a failure. */
export function inForm(outcome: Outcome, result: RunResult, form: AnswerForm | undefined): Outcome {
  if (form === undefined || outcome.error !== undefined || outcome.exitCode !== 0) return outcome
  const picked = form.pick(result.answer)
  if (picked === undefined) return { exitCode: exitCodes.schema, error: new PipeError('schema', form.lack) }
  result.pick(picked)
  return picked.isNo === true ? { exitCode: noExitCode } : outcome
}
