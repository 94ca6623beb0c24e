import type { OfferedModel } from '../../frontend/offered-model.ts'
import { formatCount } from '../../frontend/words/amount.ts'
import { levelsOf, type Price } from '../../model.ts'
import type { ThinkingLevel } from '../../provider.ts'
import type { PickerItem, Variant } from '../picker/picker.ts'

/** The model in use. */
export interface ModelInUse {
  /** `provider/model`. */
  readonly model: string
  readonly level: ThinkingLevel | undefined
}

/** Returns the row of a model in a list: its window and price, or why it cannot be used, and its levels of thinking. */
export function modelItem({ name, facts, missing }: OfferedModel, { model, level }: ModelInUse): PickerItem {
  const slash = name.indexOf('/')
  const isCurrent = name === model
  const levels = levelsOf(facts) ?? []
  const variants: readonly Variant[] = [
    { id: name, label: 'default' },
    ...levels.map((one) => ({ id: `${name}:${one}`, label: one })),
  ]
  const chosen = isCurrent && level !== undefined ? levels.indexOf(level) + 1 : 0
  const { contextWindow, price } = facts
  return {
    id: name,
    label: name.slice(slash + 1),
    group: name.slice(0, slash),
    facts: [contextWindow === undefined ? '' : formatCount(contextWindow), missing ?? formatPrice(price)],
    preview: describe(name, facts, missing),
    isCurrent,
    isFocused: isCurrent,
    isOff: missing !== undefined,
    ...(levels.length === 0 || missing !== undefined ? {} : { variants, variant: chosen }),
  }
}

/** `$3 / $15`, for a million tokens in and out. */
function formatPrice(price: Price | undefined): string {
  if (price === undefined) return ''
  return price.input === 0 && price.output === 0 ? 'free' : `$${price.input} / $${price.output}`
}

function describe(name: string, facts: OfferedModel['facts'], missing: string | undefined): string {
  const { contextWindow, maxOutput, price, images, documents, tools, thinking } = facts
  const sizes = [
    contextWindow === undefined ? undefined : `${formatCount(contextWindow)} tokens of context`,
    maxOutput === undefined ? undefined : `replies of up to ${formatCount(maxOutput)}`,
  ]
  const cost =
    price === undefined || (price.input === 0 && price.output === 0)
      ? undefined
      : `$${price.input} for a million tokens in, $${price.output} out`
  const able = [
    tools === true ? 'uses tools' : tools === false ? 'uses no tools' : undefined,
    images === true ? 'sees images' : undefined,
    documents === true ? 'reads PDF' : undefined,
    thinking === undefined ? undefined : thinking.type === 'none' ? 'does not think' : 'thinks',
  ]
  const rows = [[name], sizes, [cost], able, [missing]]
  return rows
    .map((parts) => parts.filter((part) => part !== undefined).join(', '))
    .filter(Boolean)
    .join('\n')
}
