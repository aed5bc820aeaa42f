/** `1 credit`, `4 credits`. */
export function formatCredits(amount: number): string {
  return `${amount} ${amount === 1 ? 'credit' : 'credits'}`;
}
