import type { InteractionOption } from '../../interaction.ts'
import { allowOnce, grants } from '../../permission.ts'

const lasting: ReadonlySet<string> = new Set(Object.values(grants))
const known: ReadonlySet<string> = new Set([
  allowOnce,
  ...lasting,
  ...['deny', 'later', 'folder', 'yes', 'accept_edits', 'no'],
])

/** Words an answer to a permission as the end of `you say`. One that names a span of time says yes by it. Leaves other labels as they are. */
export function choiceWords({ id, label }: Pick<InteractionOption, 'id' | 'label'>): string {
  if (!known.has(id)) return label
  const rest = lasting.has(id) ? label.replace(/^Yes, /, '') : label
  return rest.charAt(0) === 'I' ? rest : rest.charAt(0).toLowerCase() + rest.slice(1)
}

/** Words the answer that gives a reason: to a permission, and to any other question. */
export const inOwnWords = { permission: 'no, and say why', other: 'Another answer' } as const

/** Whether an answer to a permission grants it, which requires having seen all of the question. */
export function isGranting(
  question: { readonly options?: readonly InteractionOption[] },
  option: InteractionOption,
): boolean {
  return option !== cautiousOption(question) && option.id !== 'deny' && option.id !== 'no'
}

/** Returns the option that means no, or the one to begin with. */
export function cautiousOption({
  options = [],
}: {
  readonly options?: readonly InteractionOption[]
}): InteractionOption | undefined {
  return options.find(({ isDefault }) => isDefault === true) ?? options.at(-1)
}
