import type { Danger } from '../interaction.ts'
import type { Explanation, JudgedCall } from '../permission.ts'
import { callTitle } from './call-title.ts'
import { callDangers } from './danger/call-dangers.ts'
import type { JudgeContext } from './judge-context.ts'
import { broadCalls, coveredBy, shownRule } from './rules/shown-rule.ts'

export interface ExplainContext extends Pick<JudgeContext, 'paths' | 'home' | 'reader'> {
  /** The call asks to run outside the sandbox. */
  readonly isShutdown: boolean
}

/** Puts a call, and the rules suggested for it, in words for people. */
export async function explainCall(
  call: JudgedCall,
  rules: readonly string[],
  context: ExplainContext,
): Promise<Explanation> {
  const place = { cwd: context.paths.cwd, home: context.home }
  const leaving: readonly Danger[] = context.isShutdown ? [{ text: 'runs outside the sandbox' }] : []
  const dangers = [...(await callDangers(call, context)), ...leaving]
  return {
    title: inOneLine(callTitle(call, place)),
    dangers: dangers.map((danger) => ({ ...danger, text: inOneLine(danger.text) })),
    covered: rules.map((rule) => inOneLine(coveredBy(rule, place))).join(', '),
    all: broadCalls(call.tool),
    rules: rules.map((rule) => inOneLine(shownRule(rule, place))),
  }
}

/** Shows line breaks, so that no name imitates another line of the question. */
function inOneLine(text: string): string {
  return text.replaceAll('\n', '\\n').replaceAll('\r', '\\r')
}
