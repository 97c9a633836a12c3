import { NodeError } from '../../../src/lib/node-errors.ts'
import type { PreviewNode } from '../preview/nodes.ts'

/** `unknown`: no node has answered, so that the network may have it all the same. */
export type SendResult = 'sent' | 'refused' | 'unknown'

/**
 * Sends a signed transaction to the nodes until one takes it.
 * @param call.known matches the refusal of a node that has the transaction already
 */
export async function sendToNodes(
  nodes: readonly PreviewNode[],
  { method, params, known }: { method: string; params: readonly unknown[]; known: RegExp },
): Promise<SendResult> {
  let result: SendResult = 'unknown'
  for (const node of nodes) {
    try {
      await node.ask(method, params)
      return 'sent'
    } catch (cause) {
      if (!(cause instanceof NodeError)) continue
      if (known.test(cause.message)) return 'sent'
      result = 'refused'
    }
  }
  return result
}
