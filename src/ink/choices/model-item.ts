import type { OfferedModel } from '../../frontend/offered-model.ts'
import { formatCount, formatPrice } from '../../frontend/words/amount.ts'
import { levelsOf } from '../../model.ts'
import type { ThinkingLevel } from '../../provider.ts'
import type { PickerItem, Variant } from '../picker/picker-item.ts'

/** The model in use. */
export interface ModelInUse {
  /** `provider/model`. */
  readonly model: string
  readonly level: ThinkingLevel | undefined
}

/** Returns the row of a model in a list: its window, price and thinking, below its provider, with the levels to choose from. */
export function modelItem(
  { name, facts, missing, needsKey = false }: OfferedModel,
  { model, level }: ModelInUse,
): PickerItem {
  const slash = name.indexOf('/')
  const provider = name.slice(0, slash)
  const id = name.slice(slash + 1)
  const isCurrent = name === model
  const levels = levelsOf(facts) ?? []
  const variants: readonly Variant[] = [
    { id: name, label: 'default' },
    ...levels.map((one) => ({ id: `${name}:${one}`, label: one })),
  ]
  const chosen = isCurrent && level !== undefined ? levels.indexOf(level) + 1 : 0
  const { contextWindow, price, thinking } = facts
  const isOff = missing !== undefined
  return {
    id: name,
    // A server without known models is listed by its name alone.
    label: id === '…' ? 'all its models' : id,
    group: isOff ? `${provider} · ${needsKey ? 'needs a key' : missing}` : provider,
    facts: [
      contextWindow === undefined ? '' : `${formatCount(contextWindow)} context`,
      price === undefined ? '' : formatPrice(price),
      thinking === undefined || thinking.type === 'none' ? '' : 'thinks',
    ],
    preview: describe(name, facts, needsKey ? keyWords(provider) : missing),
    isCurrent,
    isFocused: isCurrent,
    isOff,
    // The model in use is never hidden.
    isFolded: isOff && !isCurrent,
    ...(levels.length === 0 || isOff ? {} : { variants, variant: chosen }),
  }
}

/** Says how many models cannot be used now, and what they lack. */
export function foldedModels(lacking: readonly Pick<OfferedModel, 'needsKey'>[]): string {
  const keyless = lacking.filter(({ needsKey = false }) => needsKey).length
  const count = lacking.length
  const isOne = count === 1
  const lack = keyless === 0 ? 'a server' : keyless === count ? 'a key' : 'a key or a server'
  return `… ${count} more ${isOne ? 'needs' : 'need'} ${lack}`
}

function keyWords(provider: string): string {
  return `needs a key: Enter asks for it, as /login ${provider} does`
}

/** Tells what a model is for in one line, then what it lacks, what it can do, and its name. */
function describe(name: string, facts: OfferedModel['facts'], missing: string | undefined): string {
  const { contextWindow, maxOutput, price, images, documents, tools, thinking } = facts
  const purpose = [
    contextWindow === undefined ? undefined : `${formatCount(contextWindow)} context`,
    thinking === undefined ? undefined : thinking.type === 'none' ? 'does not think' : 'thinks',
    price && formatPrice(price),
  ]
  const able = [
    maxOutput === undefined ? undefined : `replies of up to ${formatCount(maxOutput)}`,
    tools === true ? 'uses tools' : tools === false ? 'uses no tools' : undefined,
    images === true ? 'sees images' : undefined,
    documents === true ? 'reads PDF' : undefined,
  ]
  return [purpose, [missing], able, [name]]
    .map((parts) => parts.filter((part) => part !== undefined).join(' · '))
    .filter(Boolean)
    .join('\n')
}
