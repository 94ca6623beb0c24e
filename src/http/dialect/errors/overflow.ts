/** Server messages that report a request as too long for the model. Each pattern names the servers that use it. */
const wordings: readonly RegExp[] = [
  // Anthropic, DeepSeek, LM Studio, llama.cpp, MiniMax, Mistral, Ollama, OpenAI, OpenRouter, Together, vLLM
  /context[ _]?(length|window|size|limit)/i,
  // xAI, and vLLM once images are counted
  /maximum (context|prompt|model) length/i,
  // Gemini and Vertex
  /maximum number of (input )?tokens|token count (is|of) \d+/i,
  // Anthropic, Bedrock
  /(prompt|input|request) (is )?too long/i,
  // Groq
  /reduce the length/i,
  // DashScope, Poolside
  /input length/i,
  // Text Generation Inference
  /inputs` (tokens|must have less than)/i,
  // Moonshot
  /model token limit/i,
  // Z.AI
  /prompt exceeds max length/i,
  // Bedrock, Cohere
  /too many (input )?tokens/i,
  // SambaNova
  /token length \d+ exceeds/i,
  // Gateways, for bytes: "total message size 5000000 exceeds limit 4000000"
  /\bsize \d+ (bytes )?exceeds (the )?(maximum|limit)/i,
  // Gemini, for bytes
  /request payload size exceeds/i,
]

/** OpenAI, for a request larger than the limit per minute: waiting does not help. */
const neverFits = /tokens must be reduced in order to run/i

/**
 * Whether an error says that the request is too long for the model. llama.cpp uses status 500 for it, gateways 502 and 504. 429
 * is about the rate, unless the request alone exceeds it.
 */
export function isOverflow(status: number, words: string): boolean {
  if (status === 429) return neverFits.test(words)
  const isBlamed = [400, 422, 500, 502, 504].includes(status)
  return isBlamed && wordings.some((wording) => wording.test(words))
}

/** Server messages that count input and reply apart. Each pattern names the servers that use it. */
const counted: readonly RegExp[] = [
  // OpenAI, OpenRouter, vLLM
  /maximum context length is (?<window>\d+).{0,99}?\b(?<input>\d+) (?:in the messages|of text input).{0,99}?\b(?<reply>\d+) in the (?:completion|output)/is,
  // vLLM: "(8500 > 8192 - 200)"
  /\b(?<reply>\d+) > (?<window>\d+) - (?<input>\d+)/,
  // Anthropic
  /\b(?<input>\d+) \+ (?<reply>\d+) > (?<window>\d+)/,
  // Text Generation Inference
  /must be <= (?<window>\d+).{0,99}?\b(?<input>\d+) `inputs` tokens and (?<reply>\d+) `max_new_tokens`/is,
]

/**
 * Whether an error blames the reply limit of a request: its messages fit, and the limit is the larger part. Otherwise a shorter
 * conversation helps, too.
 */
export function isReplyLimit(words: string): boolean {
  const counts = counted.map((pattern) => pattern.exec(words)?.groups).find((groups) => groups !== undefined)
  const [window = 0, input = 0, reply = 0] = ['window', 'input', 'reply'].map((name) =>
    Number(counts?.[name]),
  )
  return input < window && input < reply
}
