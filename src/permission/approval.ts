import type { InteractionId } from '../id.ts'
import type { Interaction, InteractionOption, WithheldOption } from '../interaction.ts'
import type { JsonValue } from '../json-value.ts'
import { omitUndefined } from '../omit-undefined.ts'
import { allowOnce, type Explanation, grants } from '../permission.ts'
import { downloadsCode } from './finding.ts'

/** All that the question about a call shows. */
export interface Approval {
  readonly explanation: Explanation
  /** The judge's reason to ask. */
  readonly reason: string
  readonly arguments: JsonValue
  /** The change that the call makes, if its tool can show it. */
  readonly diff?: string
  /** Explains why no rule is suggested. */
  readonly whyNoRule?: string
  /** The file that "always" saves rules in. Absent: "always" is not offered. */
  readonly rulesFile?: string
}

/** Words the question about a call. */
export function approvalQuestion(approval: Approval, id: InteractionId): Interaction {
  const { explanation, reason, arguments: args, diff } = approval
  const { title, dangers } = explanation
  const isTold =
    toldByTitle.test(reason) ||
    (dangers.length > 0 && toldByDangers.test(reason)) ||
    dangers.some(({ text }) => reason === `it ${text}`)
  const about = {
    title,
    ...(isTold ? {} : { description: reason }),
    ...(dangers.length === 0 ? {} : { dangers }),
  }
  const withheld = withheldOf(approval)
  return {
    id,
    kind: 'select',
    purpose: 'confirm_risky_action',
    display:
      diff === undefined
        ? { ...about, content: args, contentKind: 'json' }
        : { ...about, content: diff, contentKind: 'diff' },
    options: [{ id: allowOnce, label: 'Yes, once', style: 'primary' }, ...grantsOf(approval), no],
    ...omitUndefined({ withheld: withheld === undefined ? undefined : [withheld] }),
  }
}

/** Reasons that the title says: it asks whether to edit a file, or to run a command. */
const toldByTitle = / can change things$|^it changes /

/** Reasons that a known danger says better. */
const toldByDangers =
  /^it holds invisible characters$|^it opens a connection$|^it removes |^it writes to | decides what runs later$/

/** Asks for one call only: no answer allows another. */
export function consentQuestion(display: Interaction['display'], id: InteractionId): Interaction {
  return {
    id,
    kind: 'select',
    purpose: 'confirm_risky_action',
    display,
    options: [{ id: allowOnce, label: 'Yes', style: 'primary' }, no],
  }
}

const no: InteractionOption = { id: 'deny', label: 'No', style: 'danger', isDefault: true }

/** The options that also allow later calls, the narrowest first. A dangerous call gets no broad one. */
function grantsOf({ explanation, rulesFile }: Approval): readonly InteractionOption[] {
  const { covered, all, rules, dangers } = explanation
  const narrow: readonly InteractionOption[] =
    rules.length === 0 ? [] : [{ id: grants.session, label: `Yes, this session: ${covered}` }]
  const always: readonly InteractionOption[] =
    rules.length === 0 || rulesFile === undefined
      ? []
      : [{ id: grants.always, label: `Yes, always: ${rules.join(', ')}`, detail: `saved in ${rulesFile}` }]
  const broad: readonly InteractionOption[] =
    dangers.length > 0 || all === covered
      ? []
      : [
          {
            id: grants.all,
            label: `Yes, this session: ${all}`,
            confirm: `Allow ${all} this session?`,
          },
        ]
  return [...narrow, ...always, ...broad]
}

function withheldOf({ explanation, whyNoRule }: Approval): WithheldOption | undefined {
  const { rules, dangers } = explanation
  if (rules.length > 0) return undefined
  const isDownload = dangers.some(({ text }) => text === downloadsCode)
  const why = isDownload ? 'it runs downloaded code' : (whyNoRule ?? 'no rule covers this call alone')
  return { id: grants.session, label: 'Yes, this session', reason: why.replace(/^it /, '') }
}
