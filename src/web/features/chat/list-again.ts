import type { QueryClient } from '@tanstack/react-query';

const ofList = { queryKey: ['conversations'] };

/** Reads the list of conversations once more: also where its first reading is under way, which may not know of what has just been made. */
export async function listAgain(queryClient: QueryClient): Promise<void> {
  await queryClient.cancelQueries(ofList);
  await queryClient.invalidateQueries(ofList);
}
