export interface Sms {
  /** E.164. */
  to: string
  text: string
}
export interface SmsGateway {
  /** @throws Refusal when the number can't be sent to; Unavailable when the gateway does not take the message */
  send(sms: Sms): Promise<void>
}

/** A name in letters that leave room for 160 of them in a message: others would halve that. @param otherwise if none is left */
export function sendableName(name: string, otherwise = 'this app'): string {
  const plain = name
    .normalize('NFKD')
    .replace(/[^ !"#%&'()*+,\-./0-9:;<=>?A-Za-z]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
  return plain.length > 30 ? `${plain.slice(0, 29).trimEnd()}.` : plain || otherwise
}
