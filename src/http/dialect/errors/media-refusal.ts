/** Names of media, of their formats and fields in the messages of servers. */
const media =
  /image|picture|photo|pixel|\bpdf\b|document|\bmedia\b|modal|vision|base64|\b(?:jpe?g|png|gif|webp)\b|inline_?data|input_file|file_data/i

/** Whether a server that refuses a request blames an image or a document in it, whose removal is then worth a try. */
export function isAboutMedia(said: string): boolean {
  return media.test(said)
}
