/** The numbers of smart accounts. Times are milliseconds unless the name says otherwise. */
export const smartAccountLimits = {
  /** An operation that is prepared for a nonce or a deployment of before is prepared again, so many times in all. */
  prepareAttempts: 3,
  /** Before another attempt for a nonce, as the chain's own node may learn later than the bundler that it is used. */
  prepareDelay: 1_000,
  /** Bytes of what a paymaster adds to an operation. */
  paymasterData: 4_096,
  /** Characters of a sponsor's icon, which is mostly an image in its address. */
  sponsorIcon: 65_536,
  /** Most of the gas with which a bundler is paid for layer 1; where base fees are tiny it exceeds a block's. */
  preVerificationGas: 2n ** 40n,
  /** A bundler's fee per gas is not believed above so many times the base fee … */
  feeByBaseFee: 20n,
  /** … plus this many wei. */
  feeAboveBaseFee: 500_000_000_000n,
} as const
