import { isReplyLimit } from './overflow.ts'

/** A request that a server refused with 4xx. */
export interface RefusedRequest {
  readonly provider: string
  readonly model: string
  /** Whether the quirks of Chat Completions apply to this server. */
  readonly takesQuirks?: boolean | undefined
}

interface Row {
  /** Names the part of the request that the server blames. */
  readonly blames: RegExp
  /** The setting that mends it: a quirk, or advice in words. */
  readonly quirk?: string
  readonly advice?: (model: string) => string
}

/** Words for a parameter that a server does not take, in contrast to a bad value of one. */
const notTaken =
  /unsupported|unknown|unrecogni[sz]ed|unexpected|extra|deprecated|instead|invalid|requires?\b|must|should|not (?:yet )?(?:be )?(?:supported|permitted|allowed|accepted|valid|compatible|implemented|enabled)|(?:does|do|is|are)(?: not|n't)|cannot|can't|only|no endpoints|missing|not (?:support|accept|allow)/i
const maxTokens = /max_(?:completion_|output_)?tokens/i
const tooLarge = /too large|at most|less than|exceed|maximum|<=|greater|range|upper|limit/i

/** The first row that matches counts. */
const rows: readonly Row[] = [
  { blames: /reasoning_content/i, quirk: 'reasoning_content to true' },
  { blames: /stream_options|include_usage/i, quirk: 'stream_options to false' },
  { blames: /tool_choice/i, quirk: 'tool_choice_required to the word that the server takes, such as "any"' },
  { blames: /tool[_ ]call[_ ]?id|call_id/i, quirk: 'call_id_length to the length that the server takes' },
  { blames: /use ['"`]?max_completion_tokens/i, quirk: 'max_tokens_field to "max_completion_tokens"' },
  { blames: /max_completion_tokens/i, quirk: 'max_tokens_field to "max_tokens"' },
  { blames: /max_tokens/i, quirk: 'max_tokens_field to "max_completion_tokens"' },
  {
    blames: /reasoning[_. ]effort/i,
    quirk: 'reasoning_effort to the words that the server takes, such as {"minimal": "low"}',
  },
  {
    blames:
      /(?:reasoning|thinking)\b[^.]{0,30}(?:not |n't )|(?:not|n't) support[^.]{0,30}(?:reasoning|thinking)|unsupported[^.]{0,30}(?:reasoning|thinking)|effort level/i,
    advice: (model) =>
      `choose another level with --thinking, or set "thinking" to "none" under models."${model}"`,
  },
  {
    blames: /temperature/i,
    quirk: 'temperature_with_thinking to false, or leave out --temperature',
    advice: () => 'leave out --temperature',
  },
  { blames: /user.{0,40}after.{0,20}tool|after.{0,20}tool.{0,40}user/i, quirk: 'user_after_tool to false' },
  { blames: /developer.{0,40}role|role.{0,40}developer/i, quirk: 'system_role to "system"' },
  { blames: /system.{0,40}(?:role|message|prompt)|role.{0,40}system/i, quirk: 'system_role to "developer"' },
]

/** Abilities that a model lacks, which is not about one image or one call that is wrong. */
const abilities: readonly Row[] = [
  {
    blames:
      /\bimages?\b[^.]{0,60}(?:not|n't)[^.]{0,15}support|(?:not|n't) support[^.]{0,30}(?:images?\b(?! (?:type|format))|vision|multimodal)|image_url[^.]{0,40}(?:only|not |expected)|unsupported[^.]{0,20}image_url|only supports? text|text[- ]only|no endpoints[^.]{0,40}image/i,
    advice: (model) => `set "images" to false under models."${model}", so that pipe sends none`,
  },
  {
    blames:
      /\b(?:tools?|functions?)\b[^.]{0,60}(?:not|n't)[^.]{0,15}(?:support|allow|availab|enabled)|(?:not|n't) support[^.]{0,30}(?:tools?|functions?)\b|unsupported[^.]{0,30}\btools?\b|unrecogni[sz]ed[^.]{0,30}\btools\b|tool (?:choice|use) requires|tools param requires|no endpoints[^.]{0,40}tool/i,
    advice: (model) =>
      `choose a model that takes tools; to tell pipe about this one, set "tools" to false under models."${model}"`,
  },
]

/** Names the setting that mends a refused request; `undefined` if the server blames no parameter that a setting changes. */
export function parameterAdvice(
  said: string,
  { provider, model, takesQuirks = false }: RefusedRequest,
): string | undefined {
  const name = `${provider}/${model}`
  if (isReplyLimit(said) || (maxTokens.test(said) && tooLarge.test(said) && !/instead/i.test(said)))
    return `lower it with --max-output-tokens, or set "max_output" under models."${name}"`
  const parameter = notTaken.test(said) ? rows.find(({ blames }) => blames.test(said)) : undefined
  const row = parameter ?? abilities.find(({ blames }) => blames.test(said))
  if (row?.quirk !== undefined && takesQuirks) return `set providers.${provider}.quirks.${row.quirk}`
  return row?.advice?.(name)
}
