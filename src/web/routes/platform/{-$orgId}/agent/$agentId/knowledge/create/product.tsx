import { createFileRoute } from '@tanstack/react-router';
import { AddProductsScreen } from '../../../../../../../features/knowledge/add-products-screen.tsx';

export const Route = createFileRoute('/platform/{-$orgId}/agent/$agentId/knowledge/create/product')({
  component: AddProductsScreen,
  staticData: {
    name: 'platform-orgId-agent-agentId-knowledge-create-product',
    title: 'knowledge.addProducts',
    needs: 'agent.write',
  },
});
