import type { Quirks } from '../../machine/model-server.ts'
import { omitUndefined } from '../../omit-undefined.ts'
import type { QuirkSettings } from '../settings-schema.ts'

/** Reads the quirks of a server from settings. */
export function readQuirks(settings: QuirkSettings): Quirks {
  const quirks: { readonly [K in keyof Quirks]-?: Quirks[K] | undefined } = {
    maxTokensField: settings.max_tokens_field,
    streamOptions: settings.stream_options,
    keyHeader: settings.key_header,
    systemRole: settings.system_role,
    callIdLength: settings.call_id_length,
    reasoningEffort: settings.reasoning_effort && omitUndefined(settings.reasoning_effort),
    toolChoiceRequired: settings.tool_choice_required,
    temperatureWithThinking: settings.temperature_with_thinking,
    reasoningContent: settings.reasoning_content,
    userAfterTool: settings.user_after_tool,
    schemaBesideTools: settings.schema_beside_tools,
    thinkTags: settings.think_tags,
  }
  return omitUndefined(quirks)
}
