/** Registers `<wallet-connector>`. */
import { defineElement } from '../define.ts'
import { WalletConnector } from '../wallet-connector.ts'

export { WalletConnector }

defineElement(WalletConnector)
