import { createTestClient, type Hex, http, toFunctionSelector } from 'viem'
import { assemble } from './assembler.ts'

/** The contract of every chain of the OP stack that names the fee for layer 1. */
export const gasPriceOracleAddress = '0x420000000000000000000000000000000000000F'
/** The demo's chains of the OP stack. */
export const opStackChains: readonly number[] = [8453]

/** Wei for each byte of a transaction. The real contract counts what is left of them after compression. */
export const weiPerByte = 10_000_000n
/** Bytes that the real contract adds for the signature. */
const SIGNATURE_SIZE = 68

const selector = (declaration: string) => BigInt(toFunctionSelector(`function ${declaration}`))
const returned = (amount: string) => `${amount} ${weiPerByte} MUL 0 MSTORE 32 0 RETURN`

/** `getL1Fee` and `getL1FeeUpperBound` of the OP stack's GasPriceOracle. Nothing on anvil takes this fee. */
const oracleCode: Hex = assemble(`
  0 CALLDATALOAD 224 SHR
  DUP1 ${selector('getL1Fee(bytes)')} EQ @fee JUMPI
  DUP1 ${selector('getL1FeeUpperBound(uint256)')} EQ @bound JUMPI
  0 0 REVERT
  :fee ${returned(`36 CALLDATALOAD ${SIGNATURE_SIZE} ADD`)}
  :bound ${returned(`4 CALLDATALOAD ${SIGNATURE_SIZE} ADD`)}
`)

/** Puts the contract where the OP stack has it. @param url a node of anvil's */
export const placeGasPriceOracle = (url: string): Promise<void> =>
  createTestClient({ mode: 'anvil', transport: http(url) }).setCode({
    address: gasPriceOracleAddress,
    bytecode: oracleCode,
  })
