import type { Danger } from '../../interaction.ts'
import type { Field } from '../bash/fields.ts'
import { downloadsCode } from '../finding.ts'
import { commandName } from '../programs/command-name.ts'
import { inputOf } from '../programs/input.ts'
import { programOf } from '../programs/program-table.ts'
import { targetsOf } from '../programs/targets.ts'
import { textsOf } from '../programs/word-fields.ts'
import { allSteps, programsIn, type Step } from './steps.ts'

/** Programs that print or save what they fetch. */
const fetchers = /^(curl|wget|wget2|fetch|http|https|xh|aria2c|lynx|links|nc|ncat)$/

/** Finds downloads that the same line runs: piped into a shell, in its words, or as a saved file. */
export function downloadDangers(steps: readonly Step[]): readonly Danger[] {
  const saved = new Set<string>()
  const dangers: Danger[] = []
  let fetching: Step | undefined
  for (const step of steps) {
    if (!step.isPiped) fetching = undefined
    if (runsWords(step) && allSteps(step.inner).some(fetches)) dangers.push(between(step, step))
    else if (fetching !== undefined && runsInput(step)) dangers.push(between(fetching, step))
    else if (runsFile(step, saved)) dangers.push(between(step, step))
    else dangers.push(...downloadDangers(step.inner))
    if (fetches(step)) {
      fetching ??= step
      for (const path of savedBy(step)) saved.add(path)
    }
  }
  return dangers
}

function between({ start }: Step, { end }: Step): Danger {
  return { text: downloadsCode, start, end }
}

function fetches(step: Step): boolean {
  return programsIn(step).some((name) => fetchers.test(name))
}

function runsInput({ forms }: Step): boolean {
  return forms.some((fields) => /^(script|code)$/.test(inputOf(fields)))
}

/** Whether a step runs its words as code, or a command that only its words tell. */
function runsWords({ forms }: Step): boolean {
  return forms.some((fields) => {
    const [first] = fields
    const name = commandName(fields)
    const { isShell, language, evaluates } = programOf(name) ?? {}
    return first?.known === false || isShell || language !== undefined || evaluates || runsText.test(name)
  })
}

const runsText = /^(eval|source|\.)$/

/** Whether a step runs one of these files, itself or by a shell. */
function runsFile({ forms }: Step, saved: ReadonlySet<string>): boolean {
  return forms.some((fields) => {
    const [name = '', ...args] = textsOf(fields).map(plainPath)
    const { isShell, language } = programOf(commandName(fields)) ?? {}
    const isRun = isShell === true || language !== undefined || runsText.test(name)
    return saved.has(name) || (isRun && args.some((arg) => saved.has(arg)))
  })
}

function savedBy({ forms }: Step): readonly string[] {
  const fields = forms.find((one) => fetchers.test(commandName(one))) ?? []
  return targetsOf(fields).certain.flatMap(({ text, known }: Field) => (known ? [plainPath(text)] : []))
}

function plainPath(text: string): string {
  return text.replace(/^(\.\/)+/, '')
}
