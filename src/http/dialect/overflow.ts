/** How servers say that a request is more than the model can take in. Each kind of wording with those who use it. */
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
  // Gemini, of bytes
  /request payload size exceeds/i,
]

/** OpenAI, of a request that is larger than what may be sent in a minute: no wait makes it fit. */
const neverFits = /tokens must be reduced in order to run/i

/**
 * Whether an error with this HTTP status and these words says that the request is too long for the model. llama.cpp says so with
 * status 500, gateways with 502 and 504; what 429 says is about the rate, unless the request alone exceeds that.
 */
export function isOverflow(status: number, words: string): boolean {
  if (status === 429) return neverFits.test(words)
  const isBlamed = [400, 422, 500, 502, 504].includes(status)
  return isBlamed && wordings.some((wording) => wording.test(words))
}
