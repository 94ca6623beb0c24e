/**
 * The parts of a request as servers name them. Excludes tool calls: the model may have made those, and its next reply can fix
 * them.
 */
const part =
  '(?:image|audio|video|vision|multimodal|modalit|document|pdf|media|content|input|prompt|message|role|schema|grammar|format|parameter|param|request|(?:tool|function)(?![ _]?call))'

/** Server messages that blame the request despite a 5xx status. Each pattern names the servers that use it. */
const wordings: readonly RegExp[] = [
  // llama.cpp: "image input is not supported"
  matching(`\\b${part}[^.\\n]{0,60}(?:\\bnot|n't) (?:yet )?(?:supported|allowed|accepted|implemented)`),
  // llama.cpp, Ollama: "does not support tools"
  matching(`(?:\\bnot|n't|\\bcannot) (?:support|accept|handle|understand)\\b[^.\\n]{0,40}\\b${part}`),
  // LocalAI, vLLM: "unsupported content type", "invalid image"
  matching(`\\b(?:unsupported|not supported|invalid|malformed)[ _](?:\\w+[ _])?${part}`),
  // LiteLLM ("BadRequestError"), Bedrock ("ValidationException"), Google ("INVALID_ARGUMENT")
  /\b(?:bad[ _]?request|unsupported_?params|invalid_argument|validation_?(?:error|exception))/i,
  // Ollama, for images sent to a text model: "this model is missing data required for image input"
  /\bmissing data required for\b/i,
  // llama.cpp: "tools param requires --jinja flag"
  /\brequires? --\w+/i,
  // llama.cpp, for templates that expect other messages or another order
  /roles must alternate|jinja exception|\[json\.exception\.(?:type_error|out_of_range)/i,
  // llama.cpp, LocalAI, Ollama
  /\bfailed to (?:parse|load|decode|apply) (?:the )?(?:tools|messages|grammar|json schema|request|image|audio|chat template|tool call arguments)/i,
  /\bcannot unmarshal\b|\billegal base64\b/i,
]

function matching(source: string): RegExp {
  return new RegExp(source, 'i')
}

/** Words of a temporary failure, or of one between the server and its upstream. */
const temporary =
  /try again|retry|temporar|overload|unavailable|time[d -]?out|upstream|\bbusy\b|capacity|response from|connection/i

/**
 * Whether a server error (5xx) is about the request, so that retrying cannot help. Words of a temporary failure take
 * precedence. 501 always counts: the server does not implement the request.
 */
export function isRequestFault(status: number, words: string): boolean {
  if (status === 501) return true
  return status >= 500 && status !== 529 && !temporary.test(words) && wordings.some((one) => one.test(words))
}
