import { choiceWords, inOwnWords } from '../../frontend/words/choice-words.ts'
import type { Interaction, InteractionOption } from '../../interaction.ts'

/** A way to answer a question: an option, or words if `option` is absent. */
export interface Choice {
  /** Keys that select it, the one that is shown last: `1`, `y`. */
  readonly keys: readonly string[]
  readonly label: string
  /** Follows the label, in grey. */
  readonly detail?: string | undefined
  readonly option?: InteractionOption
  /** It opens the text of the call in the user's editor. */
  readonly isEdit?: true
  /** The choice cannot be taken here. */
  readonly isWithheld?: true
}

/** Whether the question asks for a permission, which must not be given by accident. */
export function isPermission({ purpose }: Interaction): boolean {
  return purpose === 'confirm_risky_action'
}

/** Lists the options, those that are withheld behind the first, and an answer in words if one is allowed. */
export function choicesOf(interaction: Interaction): readonly Choice[] {
  const { options = [], withheld = [], kind } = interaction
  const given = options.map((option, i): Choice => {
    const { id, detail } = option
    const keys = [String(i + 1), letterOf(id)].filter((key) => key !== undefined)
    return { keys, label: labelOf(option, interaction), option, detail }
  })
  const refused = withheld.map((one): Choice => {
    const label = labelOf(one, interaction)
    return {
      keys: [letterOf(one.id) ?? '-'],
      label,
      detail: `(not offered: ${one.reason})`,
      isWithheld: true,
    }
  })
  // Before the answers that mean no.
  const edit: readonly Choice[] =
    interaction.call?.proposal === undefined
      ? []
      : [{ keys: ['e'], label: 'modify in your editor', isEdit: true }]
  const no = given.slice(1).findIndex(({ option }) => option?.isDefault === true)
  const at = no < 0 ? given.length : no + 1
  const words = isPermission(interaction) ? inOwnWords.permission : inOwnWords.other
  const last: readonly Choice[] = kind === 'confirm' ? [] : [{ keys: ['w'], label: words }]
  return [...given.slice(0, 1), ...refused, ...given.slice(1, at), ...edit, ...given.slice(at), ...last]
}

/** Letters of known options. In capitals: an answer that allows much. */
const letters: Readonly<Record<string, string>> = {
  allow: 'y',
  allow_session: 's',
  allow_always: 'a',
  allow_all: 'S',
  deny: 'n',
  later: 'l',
  folder: 'f',
  yes: 'y',
  accept_edits: 'e',
  no: 'n',
}

function letterOf(id: string): string | undefined {
  return Object.hasOwn(letters, id) ? letters[id] : undefined
}

/** The label beside a letter. */
function labelOf(option: Pick<InteractionOption, 'id' | 'label'>, interaction: Interaction): string {
  return isPermission(interaction) ? choiceWords(option) : option.label
}

/** Returns the index of the choice that this key selects, else -1. A capital also selects the choice of the small letter. */
export function choiceOfKey(choices: readonly Choice[], key: string): number {
  const exact = choices.findIndex(({ keys }) => keys.includes(key))
  return exact !== -1 ? exact : choices.findIndex(({ keys }) => keys.includes(key.toLowerCase()))
}
