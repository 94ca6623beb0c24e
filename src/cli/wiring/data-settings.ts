import { type Layer, type LayeredSettings, mergeLayers } from '../../config/layers.ts'
import { isLooser } from '../../config/permission-mode.ts'
import type { RuleSettings, Settings } from '../../config/settings.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import { ruleSubject } from '../../permission/rules/rule.ts'

/**
 * Returns the settings of a run over data that others wrote. Only its command line can allow more than to read: saved rules and modes were
 * made for the words of the user. Rules that forbid or ask stay, and so do those that allow to read.
 */
export function settingsForData({ layers, ...loaded }: LayeredSettings): LayeredSettings {
  const kept = layers.map((layer) => (layer.source.type === 'flag' ? layer : readingOnly(layer)))
  return { ...loaded, layers: kept, settings: mergeLayers(kept) }
}

function readingOnly({ source, settings }: Layer): Layer {
  const { permissions, ...others } = settings
  if (permissions === undefined) return { source, settings }
  const { mode, allow, ...rest } = permissions
  const kept: Settings['permissions'] = {
    ...rest,
    ...omitUndefined({
      mode: mode === undefined || isLooser(mode, 'default') ? undefined : mode,
      allow: allow?.filter(allowsReading),
    }),
  }
  return { source, settings: { ...others, permissions: kept } }
}

function allowsReading(rule: RuleSettings): boolean {
  const text = typeof rule === 'string' ? rule : rule.rule
  return ruleSubject(/^\s*([^(]*?)\s*(?:\(|$)/.exec(text)?.[1] ?? '') === 'read'
}
